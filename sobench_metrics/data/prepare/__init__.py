"""From upstream's labels and ten image sources to one prepared set on the user's disk."""
