"""Asking an OpenAI-compatible chat server: settings, requests, answers, waits and the pool of requests."""
