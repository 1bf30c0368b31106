"""The words around the fields: openings, rules of form, layouts, rare slips of the pen."""
