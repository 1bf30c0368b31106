"""Subcommands of `sobench` that need to know about lm-eval."""
