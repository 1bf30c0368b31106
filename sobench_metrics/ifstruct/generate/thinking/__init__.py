"""Requests that change their mind before they settle, by rules of our own or by a model; what counts is checked."""
