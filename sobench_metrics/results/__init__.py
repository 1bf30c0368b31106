"""What runs have left on the disk: read into one record type, paired, compared."""
