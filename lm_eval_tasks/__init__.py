"""SO-Bench and IFStruct as tasks of lm-evaluation-harness: thin glue over `sobench_metrics`.

Nothing is imported here: `lm_eval_tasks.autoload` may run at every start of the interpreter.
"""
