"""Runs as one page for people: figures with intervals, slices, error taxonomy, and every sample with its diff."""
