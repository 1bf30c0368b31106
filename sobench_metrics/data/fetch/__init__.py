"""Bytes from elsewhere: pinned, resumable, bounded, and never outside the folder they are meant for."""
