"""IFStruct validation."""
