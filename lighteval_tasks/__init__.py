"""lighteval tasks of SO-Bench and IFStruct: thin glue over `sobench_metrics`."""
