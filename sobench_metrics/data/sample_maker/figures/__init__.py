"""Charts whose form is drawn: kind of mark, direction, grid, letters, colours, legend, printed numbers or a scale."""
