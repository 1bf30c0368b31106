"""Ways of telling which fields are wanted, one file each; none of them knows why it was drawn."""
