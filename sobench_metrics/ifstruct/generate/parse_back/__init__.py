"""From a prompt's text back to the schema, for the styles that a machine can read, one file each."""
