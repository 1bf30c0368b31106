"""Fresh IFStruct rows without end: entity types and schemas of our own, proven row by row."""
