"""Pages that are drawn from any schema: subjects of the IFStruct taxonomy, filled, set out in a drawn layout and theme.

Where the bundled kinds are single layouts with other content, these have no layout of their own: fields, their number,
their nesting, the way each block is written, the arrangement, the colours, the letters and the frame are all drawn.
"""
