"""From rows to files: partial work that can go on, whole files, a manifest, a card."""
