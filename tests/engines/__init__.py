"""Engines that a test can own: a chat server that answers on cue, and models small enough to make on the spot.

Everything here is for tests and for development.  Nothing is imported by the
package itself, and no weights are ever committed: the models are built or
taught where they are needed and kept in folders that git ignores.
"""
