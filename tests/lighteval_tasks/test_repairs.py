"""Each repair in both directions: with the fault the harness works again, without it nothing is changed."""

import enum
import hashlib
import inspect
import json
import subprocess
import sys
import textwrap
from pathlib import Path
from types import SimpleNamespace

import pytest

from sobench_metrics.errors import UsageError

BUILT_IN = "lighteval.tasks.tasks.tiny_benchmarks"


@pytest.fixture
def harness(monkeypatch):
    """lighteval as it was installed, whatever an earlier test repaired; afterwards as it was before."""
    import huggingface_hub
    import xxhash
    from lighteval import __main__ as command_line
    from lighteval import main_inspect, pipeline
    from lighteval.logging import info_loggers
    from lighteval.metrics import metrics_sample
    from lighteval.tasks import lighteval_task, registry

    import lighteval_tasks.tasks  # noqa: F401 - its guards belong to what stands before

    replaced = {
        registry.Registry: ("__init__", "_load_from_files", "_load_from_subdirs", "print_all_tasks"),
        lighteval_task.LightevalTask: ("load_datasets",),
        lighteval_task.LightevalTaskConfig: ("print",),
        pipeline.Pipeline: ("_load_responses_from_details",),
        main_inspect: ("eval", "inspect_ai_eval_set"),
    }
    for owner, names in replaced.items():
        for name in names:
            real = inspect.unwrap(getattr(owner, name))
            static = isinstance(vars(owner)[name], staticmethod)
            monkeypatch.setattr(owner, name, staticmethod(real) if static else real)
    monkeypatch.setattr(metrics_sample, "HfApi", huggingface_hub.HfApi)
    monkeypatch.setattr(info_loggers, "xxhash", xxhash)
    for command in command_line.app.registered_commands:
        monkeypatch.setattr(command, "callback", inspect.unwrap(command.callback))
    return SimpleNamespace(
        command_line=command_line,
        info_loggers=info_loggers,
        main_inspect=main_inspect,
        metrics_sample=metrics_sample,
        Pipeline=pipeline.Pipeline,
        Registry=registry.Registry,
        Task=lighteval_task.LightevalTask,
        TaskConfig=lighteval_task.LightevalTaskConfig,
    )


@pytest.fixture
def no_network(monkeypatch):
    """Every request by name, and the error that a cut cable gives."""
    import requests

    asked = []

    def get(url, *args, **options):
        asked.append(url)
        raise requests.exceptions.ConnectionError(url)

    monkeypatch.setattr(requests, "get", get)
    return asked


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Write modules into a folder that is imported from; they are forgotten afterwards."""

    def write(**modules):
        for name, text in modules.items():
            file = tmp_path / "site" / Path(*name.split(".")).with_suffix(".py")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(textwrap.dedent(text))

    before = set(sys.modules)
    monkeypatch.syspath_prepend(tmp_path / "site")
    yield write
    for name in set(sys.modules) - before:
        if str(tmp_path) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


def repair(name):
    from lighteval_tasks.repairs import REPAIRS

    (found,) = (one for one in REPAIRS if one.name == name)
    return found


def cure(name):
    one = repair(name)
    assert one.detected()
    one.apply()
    assert not one.detected()


# --- all of them


def test_importing_the_repairs_imports_no_harness():
    code = "import sys, lighteval_tasks.repairs; print([m for m in ('lighteval', 'inspect_ai', 'torch') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_second_round_finds_nothing_to_repair(harness):
    from lighteval_tasks import repairs

    first = repairs.apply_all()
    assert {"offline start", "generation options of `eval`", "`eval --custom-tasks`", "`tasks list`"} <= set(first)
    places = (harness.Registry.__init__, harness.main_inspect.eval, harness.main_inspect.inspect_ai_eval_set)
    assert repairs.apply_all() == []
    assert places == (harness.Registry.__init__, harness.main_inspect.eval, harness.main_inspect.inspect_ai_eval_set)


def test_a_place_that_is_gone_has_no_fault(harness, monkeypatch):
    from lighteval_tasks.repairs import tasks_list

    monkeypatch.delattr(harness.Registry, "print_all_tasks")
    with pytest.raises(AttributeError):
        tasks_list._needed()
    assert not repair("`tasks list`").detected()


# --- offline start


@pytest.fixture
def fresh_built_in(monkeypatch):
    """The module of tinyBenchmarks is imported anew, as in a process that starts."""
    import lighteval.tasks

    monkeypatch.delitem(sys.modules, BUILT_IN, raising=False)
    folder = Path(lighteval.tasks.__path__[0]) / "tasks"
    yield folder / "tiny_benchmarks.py"
    sys.modules.pop(BUILT_IN, None)


def test_a_start_without_network_fails_unrepaired(harness, no_network, fresh_built_in):
    import requests

    if fresh_built_in.with_name("tinyBenchmarks.pkl").exists():
        pytest.skip("an earlier lighteval left the pickle in this installation")
    with pytest.raises(requests.exceptions.ConnectionError):
        harness.Registry._load_from_files([fresh_built_in], "lighteval.tasks.tasks")


def test_a_repaired_start_asks_for_no_pickle_and_writes_none(harness, no_network, fresh_built_in):
    import requests

    cure("offline start")
    get, before = requests.get, sorted(fresh_built_in.parent.iterdir())
    tasks = harness.Registry._load_from_files([fresh_built_in], "lighteval.tasks.tasks")
    assert "tiny:gsm8k" in tasks
    assert no_network == []
    assert sorted(fresh_built_in.parent.iterdir()) == before
    assert requests.get is get  # the refusal does not outlive the loading


def test_loading_refuses_the_pickle_only(harness, package, no_network):
    package(
        **{
            "built_in.asks": """
            import requests
            refused = requests.get("https://example.org/tinyBenchmarks.pkl").status_code
            try:
                requests.get("https://example.org/else.json")
            except requests.exceptions.ConnectionError:
                pass
            TASKS_TABLE = []
        """
        }
    )
    cure("offline start")
    harness.Registry._load_from_files([Path("asks.py")], "built_in")
    assert sys.modules["built_in.asks"].refused != 200
    assert no_network == ["https://example.org/else.json"]


def test_word_models_are_fetched_when_the_task_that_needs_them_runs(harness, package, monkeypatch):
    import nltk

    package(**{"built_in.words": "import nltk\nnltk.download('punkt_probe')\nTASKS_TABLE = []\n"})
    fetched, loaded = [], []
    monkeypatch.setattr(nltk, "download", fetched.append)
    monkeypatch.setattr(harness.Task, "load_datasets", staticmethod(lambda tasks, *_: loaded.append(sorted(tasks))))
    cure("offline start")
    harness.Registry._load_from_files([Path("words.py")], "built_in")
    assert fetched == []
    task = SimpleNamespace(metrics=[])
    harness.Task.load_datasets({"ifstruct|0": task})
    assert fetched == []
    harness.Task.load_datasets({"ifeval|0": task}, 1)
    assert fetched == ["punkt_probe"]
    assert loaded == [["ifstruct|0"], ["ifeval|0"]]


def test_who_asks_for_tiny_benchmarks_is_told_before_anything_runs(harness, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    loaded = []
    monkeypatch.setattr(harness.Task, "load_datasets", staticmethod(lambda tasks, *_: loaded.append(sorted(tasks))))
    cure("offline start")
    (config,) = (
        one
        for one in harness.Registry._load_from_files([Path("tiny_benchmarks.py")], "lighteval.tasks.tasks").values()
        if one.name == "tiny:gsm8k"
    )
    with pytest.raises(UsageError, match=r"tiny:gsm8k\|0 unpickles .*tinyBenchmarks.pkl .* copy that you trust"):
        harness.Task.load_datasets({"tiny:gsm8k|0": config})
    assert loaded == []
    (tmp_path / "extended_tasks/tiny_benchmarks").mkdir(parents=True)
    (tmp_path / "extended_tasks/tiny_benchmarks/tinyBenchmarks.pkl").write_bytes(b"trusted")
    harness.Task.load_datasets({"tiny:gsm8k|0": config})
    assert loaded == [["tiny:gsm8k|0"]]


def test_a_metric_that_downloads_nothing_at_import_is_left_alone(harness, package, monkeypatch):
    from lighteval_tasks.repairs import offline_start

    package(tiny_of_tomorrow="class TinyCorpusAggregator:\n    def __init__(self, task):\n        self.task = task\n")
    monkeypatch.setattr(offline_start, "_MODULE", "tiny_of_tomorrow")
    assert not repair("offline start").detected()
    monkeypatch.setattr(offline_start, "_MODULE", "no_such_module.at_all")
    assert not repair("offline start").detected()


# --- libraries that moved on


def test_a_judge_is_looked_up_by_search_where_the_name_is_gone(harness, monkeypatch):
    class HfApi:
        def list_models(self, *, search=None, author=None):
            return [search, author]

    monkeypatch.setattr(harness.metrics_sample, "HfApi", HfApi)
    cure("judge lookup on the hub")
    assert harness.metrics_sample.HfApi().list_models(model_name="judge", author="me") == ["judge", "me"]
    assert harness.metrics_sample.HfApi().list_models(search="judge") == ["judge", None]


def test_a_hub_that_takes_the_name_is_left_alone(harness, monkeypatch):
    class HfApi:
        def list_models(self, *, model_name=None):
            return [model_name]

    monkeypatch.setattr(harness.metrics_sample, "HfApi", HfApi)
    assert not repair("judge lookup on the hub").detected()


@pytest.fixture
def xxhash_of_bytes(harness, monkeypatch):
    """A hash library that refuses text, as xxhash does since 4."""
    import xxhash

    def xxh64(data=b"", seed=0):
        if isinstance(data, str):
            raise TypeError("Strings must be encoded before hashing")
        return hashlib.sha256(data)

    monkeypatch.setattr(xxhash, "xxh64", xxh64)
    return xxh64


def logged(harness):
    from lighteval.models.model_output import ModelResponse
    from lighteval.tasks.requests import Doc

    logger = harness.info_loggers.DetailsLogger()
    logger.log("task|0", Doc(query="Größe", choices=[], gold_index=0), ModelResponse(text=["x"]), {"pass": 1.0})
    logger.aggregate()
    return logger


def test_samples_are_logged_where_hashes_take_bytes_only(harness, xxhash_of_bytes):
    with pytest.raises(TypeError):
        logged(harness)
    cure("hashes of details")
    logger = logged(harness)
    assert logger.hashes["task|0"][0].example == hashlib.sha256("Größe".encode()).hexdigest()
    import xxhash

    with pytest.raises(TypeError):  # nobody else's library is changed
        xxhash.xxh64("text")


def test_a_harness_that_encodes_by_itself_is_left_alone(harness, xxhash_of_bytes, monkeypatch):
    monkeypatch.setattr(harness.info_loggers.DetailsLogger, "log", lambda self, *args: None)
    assert not repair("hashes of details").detected()


def test_hashes_of_text_that_work_are_left_alone(harness, monkeypatch):
    import xxhash

    monkeypatch.setattr(xxhash, "xxh64", lambda data="": hashlib.sha256(data.encode()))
    assert not repair("hashes of details").detected()


def litellm_with(package, monkeypatch, *members):
    for name in [name for name in sys.modules if name.split(".")[0] == "litellm"]:
        monkeypatch.delitem(sys.modules, name)
    lines = "\n".join(f"    {member} = {member.lower()!r}" for member in members)
    package(
        **{
            "litellm.__init__": "",
            "litellm.caching.__init__": "",
            "litellm.caching.caching": f"import enum\nclass LiteLLMCacheType(str, enum.Enum):\n{lines}\n",
        }
    )


def test_litellm_without_a_disk_cache_keeps_answers_in_memory(harness, package, monkeypatch):
    litellm_with(package, monkeypatch, "LOCAL", "REDIS")
    cure("import beside litellm")
    from litellm.caching.caching import LiteLLMCacheType

    assert LiteLLMCacheType.DISK is LiteLLMCacheType.LOCAL
    assert issubclass(LiteLLMCacheType, enum.Enum)
    assert [member.name for member in LiteLLMCacheType] == ["LOCAL", "REDIS"]


def test_litellm_with_a_disk_cache_is_left_alone(harness, package, monkeypatch):
    litellm_with(package, monkeypatch, "LOCAL", "DISK")
    assert not repair("import beside litellm").detected()


def test_a_backend_that_asks_for_no_disk_is_left_alone(harness, package, monkeypatch):
    from lighteval_tasks.repairs import litellm_cache

    litellm_with(package, monkeypatch, "LOCAL")
    monkeypatch.setattr(litellm_cache, "attributes", lambda module, owner: {"LOCAL"})
    assert not repair("import beside litellm").detected()


# --- eval


@pytest.fixture
def inspect_run(harness, monkeypatch):
    """`eval` up to inspect-ai's door: what was handed over, and the registry that was built for it."""
    from lighteval.tasks import registry

    seen = SimpleNamespace(options=None, custom_tasks="not built", success=True)

    def eval_set(tasks, **options):
        seen.options = options
        return seen.success, []

    def build(self, tasks=None, load_multilingual=False, custom_tasks=None):
        seen.custom_tasks = custom_tasks
        self.task_to_configs = {}

    monkeypatch.setattr(harness.main_inspect, "inspect_ai_eval_set", eval_set)
    monkeypatch.setattr(registry.Registry, "__init__", build)

    def run(*words):
        status = harness.command_line.app(["eval", "a/model", "task", *words], standalone_mode=False)
        seen.status = status if isinstance(status, int) else 0
        return seen

    run.seen = seen
    return run


def test_generation_options_reach_inspect_under_its_names(inspect_run):
    from inspect_ai.model import GenerateConfig

    cure("generation options of `eval`")
    options = inspect_run(
        "--frequence-penalty", "0.5", "--log-probs", "--temperature", "0", "--max-tokens", "7"
    ).options
    config = GenerateConfig(**{name: value for name, value in options.items() if name in GenerateConfig.model_fields})
    assert (config.frequency_penalty, config.logprobs, config.temperature, config.max_tokens) == (0.5, True, 0.0, 7)
    assert not {"frequence_penalty", "log_probs", "response_format"} & set(options)


def test_options_that_nobody_gave_are_not_handed_on(inspect_run):
    cure("generation options of `eval`")
    options = inspect_run().options
    assert not {"frequency_penalty", "logprobs", "response_schema", "frequence_penalty", "log_probs"} & set(options)


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}, "response"),
        ({"type": "json_schema", "json_schema": {"name": "mine", "strict": True, "schema": {"type": "array"}}}, "mine"),
    ],
)
def test_a_response_format_that_inspect_holds_reaches_it(inspect_run, given, name):
    cure("generation options of `eval`")
    schema = inspect_run("--response-format", json.dumps(given)).options["response_schema"]
    assert schema.name == name
    asked = given.get("json_schema", {}).get("schema", given)
    assert schema.json_schema.model_dump(exclude_none=True) == asked


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("{", "takes a JSON schema"),
        ('{"type": "json_object"}', "at type"),
        ('"text"', "at its top"),
        ('{"type": "object", "properties": {"a": {"$ref": "#/$defs/b"}}}', r"`properties.a.\$ref`"),
        ('{"anyOf": [{"type": "string"}, {"type": "string", "const": "x"}]}', r"`anyOf\[1\].const`"),
        ('{"type": "string", "maxLength": 3}', "`maxLength`"),
    ],
)
def test_a_response_format_that_inspect_would_thin_out_is_refused(inspect_run, given, told):
    cure("generation options of `eval`")
    with pytest.raises(UsageError, match=told):
        inspect_run("--response-format", given)
    assert inspect_run.seen.options is None


def test_all_that_inspect_takes_off_a_schema_is_known_here():
    from inspect_ai.util import _json

    from lighteval_tasks.repairs import eval_options

    assert eval_options._TAKEN_OFF >= _json.JSON_SCHEMA_EXTENDED_FIELDS


def test_an_inspect_that_knows_the_names_is_left_alone(harness, monkeypatch):
    from inspect_ai.model import GenerateConfig

    known = {**GenerateConfig.model_fields, "frequence_penalty": None, "log_probs": None, "response_format": None}
    monkeypatch.setattr("inspect_ai.model.GenerateConfig", SimpleNamespace(model_fields=known))
    assert not repair("generation options of `eval`").detected()


def eval_of_tomorrow(package, monkeypatch, repair_module, passed):
    """Let a repair read an `eval` that does it right."""
    package(
        tomorrow=f"def eval():\n    Registry(tasks=1, custom_tasks=custom_tasks)\n    inspect_ai_eval_set({passed})\n"
    )
    from lighteval_tasks.repairs import source

    monkeypatch.setattr(repair_module, "calls", lambda module, *rest: source.calls("tomorrow", *rest))


def test_an_eval_that_uses_the_right_names_is_left_alone(harness, package, monkeypatch):
    from lighteval_tasks.repairs import eval_custom_tasks, eval_forgotten, eval_options

    for module in (eval_custom_tasks, eval_forgotten, eval_options):
        eval_of_tomorrow(package, monkeypatch, module, "frequency_penalty=1, model_base_url=2, logit_bias=3")
    for name in ("generation options of `eval`", "forgotten options of `eval`", "`eval --custom-tasks`"):
        assert not repair(name).detected(), name


def test_the_users_tasks_module_reaches_the_registry(inspect_run):
    assert inspect_run("--custom-tasks", "mine.py").custom_tasks is None  # the fault
    cure("`eval --custom-tasks`")
    assert inspect_run("--custom-tasks", "mine.py").custom_tasks == "mine.py"
    assert inspect_run().custom_tasks is None  # and is forgotten with its run


def test_what_eval_forgot_reaches_inspect(inspect_run):
    words = ("--model-base-url", "http://here/v1", "--logit-bias", "10=100,-10=-1.5")
    assert "model_base_url" not in inspect_run(*words).options  # the fault
    cure("forgotten options of `eval`")
    options = inspect_run(*words).options
    assert options["model_base_url"] == "http://here/v1"
    assert options["logit_bias"] == {10: 100.0, -10: -1.5}
    assert not {"model_base_url", "logit_bias"} & set(inspect_run().options)


def test_roles_and_a_bias_that_cannot_be_read_are_refused(inspect_run):
    cure("forgotten options of `eval`")
    with pytest.raises(UsageError, match="--model-roles"):
        inspect_run("--model-roles", "grader=a/b")
    with pytest.raises(UsageError, match="TOKEN=BIAS"):
        inspect_run("--logit-bias", "ten=1")
    assert inspect_run.seen.options is None


def test_a_failed_evaluation_has_a_status(inspect_run):
    inspect_run.seen.success = False
    assert inspect_run().status == 0  # the fault
    cure("forgotten options of `eval`")
    assert inspect_run().status == 1
    inspect_run.seen.success = True
    assert inspect_run().status == 0


# --- tasks, details


def test_tasks_list_names_the_tasks(harness, capsys):
    registry = harness.Registry.__new__(harness.Registry)
    registry._task_registry = {"sobench:ui": None, "gsm8k": None}
    registry.print_all_tasks()
    assert "gsm8k" not in capsys.readouterr().out  # the fault
    cure("`tasks list`")
    registry.print_all_tasks()
    assert capsys.readouterr().out.split() == ["-", "gsm8k", "-", "sobench:ui", "Total", "tasks", "displayed:", "2"]


def test_a_configuration_is_shown(harness, capsys):
    config = harness.TaskConfig(name="mine", prompt_function=len, hf_repo="somewhere", hf_subset="default", metrics=[])
    with pytest.raises(TypeError):
        config.print()  # the fault
    cure("`--show-config`")
    config.print()
    assert "somewhere" in capsys.readouterr().out


@pytest.fixture
def saved_run(tmp_path):
    """Details of two tasks as lighteval writes them, and a pipeline that asks for them."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder = tmp_path / "details/model/2026-01-01"
    folder.mkdir(parents=True)
    for task in ("one", "sobench:two"):
        rows = [
            {
                "doc": {"query": f"{task} {n}", "specific": named(task, n, "these rows") if ":" in task else None},
                "model_response": {"text": [f"answer to {task} {n}"], "text_post_processed": ["cut"]},
            }
            for n in range(3)
        ]
        pq.write_table(pa.Table.from_pylist(rows), folder / f"details_{task}|0_2026-01-01.parquet")

    def pipeline(docs, date_id="last"):
        from lighteval.logging.evaluation_tracker import EvaluationTracker
        from lighteval.tasks.requests import SamplingMethod

        tracker = EvaluationTracker(output_dir=str(tmp_path))
        tracker.general_config_logger.model_name = "model"
        return SimpleNamespace(
            evaluation_tracker=tracker,
            pipeline_parameters=SimpleNamespace(load_responses_from_details_date_id=date_id),
            tasks_dict={doc.task_name: None for doc in docs},
            sampling_docs={SamplingMethod.GENERATIVE: docs},
        )

    return pipeline


def named(task, row, rows):
    return {"task": task, "data": rows, "row": str(row), "doc_id": f"doc {row}"}


def asked(*questions, rows="these rows"):
    found = []
    for full_name, n in questions:
        task = full_name.split("|")[0]
        specific = named(task, n, rows) if ":" in task else None  # ours
        found.append(SimpleNamespace(task_name=full_name, id=str(n), query=f"{task} {n}", specific=specific))
    return found


def test_saved_answers_return_to_their_questions(harness, saved_run):
    docs = asked(("sobench:two|0", 0), ("one|0", 0), ("one|0", 1), ("sobench:two|0", 1))
    with pytest.raises(ValueError, match="not found in details"):
        harness.Pipeline._load_responses_from_details(saved_run(docs))  # the fault
    cure("answers from saved details")
    for date_id in ("last", "2026-01-01"):
        (answers,) = harness.Pipeline._load_responses_from_details(saved_run(docs, date_id)).values()
        assert [answer.text for answer in answers] == [[f"answer to {doc.query}"] for doc in docs]
        assert {answer.text_post_processed for answer in answers} == {None}  # this run cuts by its own options


@pytest.mark.parametrize("question", [("one|0", 1), ("three|0", 0)])
def test_an_answer_to_another_question_is_refused(harness, saved_run, question):
    cure("answers from saved details")
    with pytest.raises(UsageError, match=rf"no answer to question {question[1]} of {question[0].split('|')[0]}"):
        harness.Pipeline._load_responses_from_details(saved_run(asked(question)))


def test_an_answer_to_the_same_text_over_other_data_is_refused(harness, saved_run):
    cure("answers from saved details")
    with pytest.raises(UsageError, match="no answer to question 1 of sobench:two"):
        harness.Pipeline._load_responses_from_details(saved_run(asked(("sobench:two|0", 1), rows="other pictures")))


def test_more_questions_than_saved_answers_are_refused(harness, saved_run):
    cure("answers from saved details")
    with pytest.raises(UsageError, match="no answer to question 3"):
        harness.Pipeline._load_responses_from_details(saved_run(asked(*(("one|0", n) for n in range(4)))))


def test_a_run_without_details_is_told(harness, saved_run):
    cure("answers from saved details")
    with pytest.raises(UsageError, match="run once with --save-details"):
        harness.Pipeline._load_responses_from_details(saved_run(asked(("one|0", 0)), "1999-01-01"))
