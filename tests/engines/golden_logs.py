"""Golden logs: real runs of the baselines through lm-eval, saved by lm-eval itself, and copies with another story."""

import json
import shutil

SOBENCH, CHART, IFSTRUCT = "sobench_ui_sample", "sobench_chart_sample", "ifstruct_json_sample"
LIMIT = 6


class GoldenLogs(dict):
    """By baseline the folder that `--output_path X --log_samples` leaves, made when asked for; not to be written into."""

    def __init__(self, folder):
        super().__init__()
        self._folder = folder

    def __missing__(self, kind):
        self[kind] = _ran(kind, self._folder / kind)
        return self[kind]


def _ran(kind, folder):
    from lm_eval.loggers import EvaluationTracker

    from lm_eval_tasks.commands.baseline import run_baseline

    tracker = EvaluationTracker(output_path=str(folder))
    results = run_baseline(kind, [SOBENCH, CHART, IFSTRUCT], limit=LIMIT)
    tracker.general_config_tracker.log_experiment_args("baseline", f"pretrained=known/{kind}", None, None, None)
    logged = results.pop("samples")
    tracker.save_results_aggregated(results, logged)
    for task, lines in logged.items():
        tracker.save_results_samples(task, lines)
    return folder


def results_file(folder):
    (file,) = folder.rglob("results_*.json")
    return file


def sample_file(folder, task):
    (file,) = folder.rglob(f"samples_{task}_2*.jsonl")
    return file


def read_lines(folder, task):
    return [json.loads(line) for line in sample_file(folder, task).read_text(encoding="utf-8").splitlines()]


class Edit:
    """A copy of a run's folder that tells another story; the methods return the copy for the next one."""

    def __init__(self, source, folder):
        self.folder = shutil.copytree(source, folder)

    def lines(self, task, change):
        """Let `change(number, line)` alter each line; what it returns as False is dropped."""
        kept = [line for number, line in enumerate(read_lines(self.folder, task)) if change(number, line) is not False]
        text = "".join(json.dumps(line) + "\n" for line in kept)
        sample_file(self.folder, task).write_text(text, encoding="utf-8")
        return self

    def results(self, change):
        file = results_file(self.folder)
        content = json.loads(file.read_text(encoding="utf-8"))
        change(content)
        file.write_text(json.dumps(content), encoding="utf-8")
        return self

    def generation(self, task, states, **more):
        """Note in line N that it was generated in state N of `states` (None: not told)."""

        def note(number, line):
            reason = "" if states[number] in (None, "constrained") else "a pattern"
            line["diagnostics"]["generation"] = {"constrained": states[number], "reason": reason, **more}

        return self.lines(task, note)

    def rename(self, task, new):
        """Give a task another name, as its constrained variant has one."""
        sample_file(self.folder, task).rename(str(sample_file(self.folder, task)).replace(task, new))

        def change(content):
            for part in ("configs", "results", "versions", "n-samples", "n-shot", "higher_is_better"):
                content[part][new] = content[part].pop(task)
            metadata = content["configs"][new]["metadata"]
            if "signature" in metadata:
                metadata["signature"] = metadata["signature"].replace(task, new)

        return self.results(change)
