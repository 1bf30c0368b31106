"""Runs that may be published: golden logs of lm-eval whose sizes, names and revisions are told to be the benchmarks'."""

import json

import pytest

from sobench_metrics.export.result import Wishes
from tests.engines.golden_logs import results_file, sample_file

MODEL, SHA, DATA = "lab/model-1", "a" * 40, "b" * 40
IFSTRUCT_N, SOBENCH_N = 2000, {"ui": 500, "natural": 451, "document": 400, "chart": 400}
SOBENCH_TASKS = tuple(f"sobench_{domain}" for domain in SOBENCH_N)
WISHES = Wishes(model_id=MODEL)
_OF_A_TASK = ("configs", "results", "versions", "n-samples", "n-shot", "higher_is_better")


@pytest.fixture(scope="session")
def published(golden, tmp_path_factory):
    """A run of IFStruct and of the four domains of SO-Bench in their full sizes: six logged samples over and over.

    Not to be written into; `story` gives copies.
    """
    source = golden["placeholder"]
    folder = tmp_path_factory.mktemp("published") / "lab__model-1"
    folder.mkdir()
    content = json.loads(results_file(source).read_text(encoding="utf-8"))
    templates = {"ifstruct": "ifstruct_json_sample", **dict.fromkeys(SOBENCH_TASKS, "sobench_ui_sample")}
    sizes = {"ifstruct": IFSTRUCT_N, **{f"sobench_{domain}": n for domain, n in SOBENCH_N.items()}}
    date = results_file(source).stem.removeprefix("results_")
    old = {part: content[part] for part in _OF_A_TASK}
    content.update({part: {} for part in _OF_A_TASK})
    for task, template in templates.items():
        lines = [json.loads(line) for line in sample_file(source, template).read_text(encoding="utf-8").splitlines()]
        many = [numbered(lines[number % len(lines)], number) for number in range(sizes[task])]
        text = "".join(json.dumps(line) + "\n" for line in many)
        (folder / f"samples_{task}_{date}.jsonl").write_text(text, encoding="utf-8")
        for part in _OF_A_TASK:
            content[part][task] = json.loads(json.dumps(old[part][template]).replace(template, task))
        content["n-samples"][task] = {"original": sizes[task], "effective": sizes[task]}
        content["results"][task] = {"alias": task, "pass_stderr,none": 0.01, "field_match_stderr,none": 0.02}
        data = f"hub:{DATA}" if task == "ifstruct" else "set-0001"
        limit = 16000 if task == "ifstruct" else 4096
        sign(content, task, data=data, n=f"{sizes[task]}/{sizes[task]}", max_gen_toks=str(limit))
    content["config"].update(
        model="hf", model_args={"pretrained": MODEL, "token": "hf_private"}, model_sha=SHA, limit=None
    )
    content["config"]["model_dtype"] = "torch.bfloat16"
    content["model_name"] = MODEL
    (folder / f"results_{date}.json").write_text(json.dumps(content), encoding="utf-8")
    return folder.parent


def numbered(line, number):
    """A line of another row, without the parts that only make it long to read."""
    kept = {key: value for key, value in line.items() if key not in ("arguments", "resps")}
    return {**kept, "doc_id": number, "doc": {"doc_id": number, "prompt": line["doc"].get("prompt")}}


def sign(content, task, **parts):
    """Write parts into a task's signature."""
    metadata = content["configs"][task]["metadata"]
    told = dict(part.split("=", 1) for part in metadata["signature"].split("|"))
    metadata["signature"] = "|".join(f"{key}={value}" for key, value in {**told, **parts}.items())


@pytest.fixture
def story(published, tmp_path):
    """`story(change)` copies the run and lets `change(content)` alter its results file; samples are shared."""
    copies = iter(range(100))

    def tell(change=lambda content: None, tasks=("ifstruct",)):
        folder = tmp_path / f"story{next(copies)}"
        folder.mkdir()
        file = results_file(published)
        content = json.loads(file.read_text(encoding="utf-8"))
        for task in list(content["configs"]):
            if task in tasks:
                log = sample_file(published, task)
                (folder / log.name).symlink_to(log)
            else:
                for part in _OF_A_TASK:
                    content[part].pop(task, None)
        change(content)
        (folder / file.name).write_text(json.dumps(content), encoding="utf-8")
        return folder

    return tell


def rename(folder, old, new):
    """Give a task of a story another name, in its files and in its signature."""
    file = results_file(folder)
    content = json.loads(file.read_text(encoding="utf-8"))
    for part in _OF_A_TASK:
        if old in content[part]:
            content[part][new] = json.loads(json.dumps(content[part].pop(old)).replace(f"{old}:", f"{new}:"))
    file.write_text(json.dumps(content), encoding="utf-8")
    log = sample_file(folder, old)
    log.rename(log.with_name(log.name.replace(f"samples_{old}_", f"samples_{new}_")))
    return folder


def respoken(folder, task, change):
    """Let `change(lines)` return other samples for a task of a story."""
    log = sample_file(folder, task)
    lines = change([json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()])
    log.unlink()
    log.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return folder
