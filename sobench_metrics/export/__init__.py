"""From a finished run to the files in which others read it: a file a target, gates before all of them."""
