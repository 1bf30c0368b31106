"""The fields that rows are made of: each kind is a trap of its own."""
