"""Our tasks on inspect-ai, which `lighteval eval` runs: the same rows, prompts and figures as on every other route."""
