"""Subcommands of `sobench` that need lighteval."""
