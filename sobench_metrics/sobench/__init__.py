"""SO-Bench scoring."""
