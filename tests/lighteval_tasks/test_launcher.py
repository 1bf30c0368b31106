"""`sobench lighteval`: our tasks in every folder, beside the user's own, and one sentence for a wrong word."""

import inspect
import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from sobench_metrics.cli import main as cli
from sobench_metrics.errors import UsageError

ROOT = Path(__file__).parents[2]
DEAD = "http://127.0.0.1:9"  # nobody listens there


@pytest.fixture
def launcher(monkeypatch):
    """The launcher with the harness as it was installed, set back afterwards."""
    from lighteval import __main__ as command_line
    from lighteval import main_custom, main_inspect
    from lighteval.tasks.registry import Registry

    import lighteval_tasks.tasks  # noqa: F401 - its guards belong to what stands before
    from lighteval_tasks.commands import registration, run

    for owner, names in {
        Registry: ("__init__", "_get_full_task_list_from_input_string"),
        main_custom: ("CustomModelConfig",),
        main_inspect: ("eval", "inspect_ai_eval_set"),
    }.items():
        for name in names:
            monkeypatch.setattr(owner, name, inspect.unwrap(getattr(owner, name)))
    for command in command_line.app.registered_commands:
        monkeypatch.setattr(command, "callback", inspect.unwrap(command.callback))
    monkeypatch.delattr(Registry, registration._INSTALLED, raising=False)
    yield run
    if registration._INSTALLED in vars(Registry):
        delattr(Registry, registration._INSTALLED)


@pytest.fixture
def sobench(launcher, monkeypatch, capsys):
    """`sobench lighteval ...` in this process: status, standard output, standard error."""
    monkeypatch.setattr(cli, "commands", lambda: {"lighteval": launcher.LIGHTEVAL})

    def call(*words):
        status = cli.main(["lighteval", *words])
        said = capsys.readouterr()
        return SimpleNamespace(status=status, out=said.out, err=said.err)

    return call


@pytest.fixture
def built(launcher, monkeypatch):
    """What each registry was built with, without the seconds that loading a thousand tasks takes."""
    from lighteval.tasks.registry import Registry

    seen = []
    real = Registry.load_all_task_configs

    def load_all(custom_tasks=None, load_multilingual=False):
        seen.append(custom_tasks)
        return {task.name: task for task in custom_tasks.TASKS_TABLE}

    monkeypatch.setattr(Registry, "load_all_task_configs", staticmethod(load_all))
    assert real is not load_all
    return seen


@pytest.fixture
def trap(tmp_path, monkeypatch):
    """Stand in a folder where names of ours are folders and files."""
    folder = tmp_path / "trap"
    folder.mkdir()
    for name in ("ifstruct", "ifstruct_sample", "sobench", "lighteval_tasks", "gsm8k"):
        (folder / name).mkdir()
    (folder / "sobench_sample").write_text("not a list of tasks\n")
    (folder / "server").mkdir()
    monkeypatch.chdir(folder)
    return folder


def names_of(module):
    return {task.name for task in module.TASKS_TABLE}


def own_tasks(folder, *names, module="own_tasks"):
    """A user's tasks module, the file and the name of it."""
    file = folder / f"{module}.py"
    tasks = ", ".join(
        f"LightevalTaskConfig(name={name!r}, prompt_function=len, hf_repo='r', hf_subset='d', metrics=[])"
        for name in names
    )
    file.write_text(f"from lighteval.tasks.lighteval_task import LightevalTaskConfig\nTASKS_TABLE = [{tasks}]\n")
    return file


# --- our tasks


def test_our_tasks_are_listed_unasked(sobench, built):
    done = sobench("tasks", "list")
    assert done.status == 0
    assert "sobench:ui" in done.out
    assert "ifstruct_sample" in done.out
    assert [module.__name__ for module in built] == ["lighteval_tasks.tasks"]


def test_our_tasks_are_dumped_among_the_built_in_ones(sobench):
    done = sobench("tasks", "dump")
    assert done.status == 0
    modules = {one["module"]: {task["name"] for task in one["tasks"]} for one in json.loads(done.out)}
    assert {"ifstruct", "sobench:ui"} <= modules["lighteval_tasks.tasks"]
    assert "gsm8k" in modules["lighteval.tasks.tasks.gsm8k"]


@pytest.mark.parametrize(
    ("asked", "full"),
    [
        ("ifstruct_sample", {"ifstruct_sample|0"}),
        ("ifstruct,ifstruct_sample|0", {"ifstruct|0", "ifstruct_sample|0"}),
        ("suite|ifstruct|0", {"ifstruct|0"}),
        ("sobench_sample", {f"sobench_sample:{domain}|0" for domain in ("ui", "natural", "document", "chart")}),
    ],
)
def test_a_task_of_ours_wins_over_a_path_of_its_name(launcher, built, trap, asked, full):
    from lighteval.tasks.registry import Registry

    if (trap / asked).exists():
        with pytest.raises((IsADirectoryError, ValueError)):  # the harness alone
            Registry(tasks=asked, custom_tasks=__import__("lighteval_tasks.tasks").tasks)
    launcher._prepare(quiet=True)
    found = Registry(tasks=asked)
    assert {config.full_name for configs in found.task_to_configs.values() for config in configs} == full


def test_a_folder_is_no_list_of_tasks_and_a_file_is(launcher, built, trap):
    from lighteval.tasks.registry import Registry

    launcher._prepare(quiet=True)
    (trap / "tasks.txt").write_text("# mine\nifstruct|0\nsobench:ui|0\n")
    (trap / "sobench_sample").write_text("ifstruct_json\n")
    assert set(Registry(tasks="tasks.txt").task_to_configs) == {"ifstruct", "sobench:ui"}
    assert set(Registry(tasks="./sobench_sample").task_to_configs) == {"ifstruct_json"}
    with pytest.raises(ValueError, match="Cannot find task gsm8k"):  # the task, which this table lacks; not the folder
        Registry(tasks="gsm8k")


def test_the_users_tasks_and_ours_stand_side_by_side(launcher, built, tmp_path, monkeypatch):
    from lighteval.tasks.registry import Registry

    launcher._prepare(quiet=True)
    file = own_tasks(tmp_path, "mine")
    monkeypatch.syspath_prepend(tmp_path)
    for theirs in (str(file), file, "own_tasks"):
        Registry(tasks="mine,ifstruct", custom_tasks=theirs)
        assert {"mine", "ifstruct", "sobench:ui"} <= names_of(built[-1])
    assert built[-1].__name__ == "own_tasks"
    sys.modules.pop("own_tasks")


def test_ours_named_by_the_user_are_ours_once(launcher, built, trap, tmp_path):
    from lighteval.tasks.registry import Registry

    from lighteval_tasks import tasks

    launcher._prepare(quiet=True)
    for theirs in (
        None,
        "lighteval_tasks.tasks",
        "lighteval_tasks",
        tasks,
    ):  # the second also with a folder of that name
        Registry(tasks="ifstruct", custom_tasks=theirs)
        assert built[-1] is tasks
    with_ours = tmp_path / "with_ours.py"
    with_ours.write_text("from lighteval_tasks.tasks import TASKS_TABLE\nTASKS_TABLE = [*TASKS_TABLE]\n")
    Registry(tasks="ifstruct", custom_tasks=str(with_ours))
    assert len(built[-1].TASKS_TABLE) == len(tasks.TASKS_TABLE)


@pytest.mark.parametrize("repaired_first", [True, False])
def test_eval_takes_the_users_tasks_beside_ours(launcher, built, tmp_path, monkeypatch, repaired_first):
    from lighteval import __main__ as command_line
    from lighteval import main_inspect

    from lighteval_tasks import repairs
    from lighteval_tasks.commands import registration

    steps = [repairs.apply_all, registration.install]
    for step in steps if repaired_first else reversed(steps):
        step()
    file = own_tasks(tmp_path, "mine")
    monkeypatch.setattr(main_inspect, "get_inspect_ai_task", lambda config, **_: config.name)
    asked = []
    monkeypatch.setattr(main_inspect, "inspect_ai_eval_set", lambda tasks, **_: (asked.extend(tasks), (False, []))[1])
    words = ["eval", "a/model", "mine,ifstruct", "--custom-tasks", str(file)]
    command_line.app(words, standalone_mode=False)
    assert sorted(asked) == ["ifstruct", "mine"]


@pytest.mark.parametrize(
    ("theirs", "told"),
    [
        ("nowhere/tasks.py", "no such file"),
        ("tasks.py", "no such file"),
        ("no_such_module_at_all", "no module of this name is installed"),
        ("json", "has no TASKS_TABLE"),
    ],
)
def test_a_tasks_module_that_cannot_be_had_is_told(launcher, trap, theirs, told):
    from lighteval_tasks.commands import registration

    with pytest.raises(UsageError, match=told):
        registration.combined(theirs)
    with pytest.raises(UsageError, match="no such file"):
        registration.combined("sobench")  # a folder


def test_a_task_of_the_user_with_a_name_of_ours_is_told(launcher, tmp_path):
    from lighteval_tasks.commands import registration

    with pytest.raises(UsageError, match="ifstruct is a task of sobench"):
        registration.combined(own_tasks(tmp_path, "ifstruct", "mine"))


def test_what_the_users_module_lacks_keeps_its_traceback(launcher, tmp_path):
    from lighteval_tasks.commands import registration

    file = tmp_path / "lacking.py"
    file.write_text("import no_such_library_of_theirs\n")
    with pytest.raises(ModuleNotFoundError, match="no_such_library_of_theirs"):
        registration.combined(str(file))


# --- the word `server`


def test_the_word_server_stands_for_our_backend(launcher, trap):
    from lighteval_tasks.commands import registration

    ours = Path(registration.model_file("server"))  # a folder of that name is in the way
    assert ours.name == "server.py"
    assert ours.parent.name == "lighteval_tasks"
    (trap / "server").rmdir()
    (trap / "server").write_text("")
    assert registration.model_file("server") == "server"
    with pytest.raises(UsageError, match=r"no model definition file mine.py: the word `server`"):
        registration.model_file("mine.py")


def test_custom_runs_with_our_backend(sobench, trap, monkeypatch):
    from lighteval import pipeline

    seen = []

    class Pipeline:
        def __init__(self, *, tasks, model_config, **_):
            seen.append((tasks, model_config))

        def __getattr__(self, name):
            return lambda: None

    monkeypatch.setattr(pipeline, "Pipeline", Pipeline)
    done = sobench("custom", "--max-samples", "1", "a-model", "server", "ifstruct_sample")
    assert done.status == 0
    ((tasks, config),) = seen
    assert tasks == "ifstruct_sample"
    assert (config.model_name, Path(config.model_definition_file_path).name) == ("a-model", "server.py")


# --- what is said


def test_the_log_names_the_repairs_and_help_does_not(sobench, built):
    assert "sobench: repaired in lighteval 0.13" in sobench("tasks", "list").err
    launched = sobench("tasks", "list")
    assert "repaired" not in launched.err  # once in a process


@pytest.mark.parametrize("words", [("--help",), ("eval", "--help"), ("tasks", "inspect", "--help")])
def test_help_is_the_harness_own(sobench, words):
    done = sobench(*words)
    assert done.status == 0
    assert f"Usage: sobench lighteval {' '.join(words[:-1])}".rstrip() in done.out
    assert done.err == ""


def test_settings_of_a_model_that_cannot_be_read_are_told_before_anything_is_loaded(sobench, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("empty.yaml").write_text("")
    Path("flat.yaml").write_text("model_name: a\n")
    Path("broken.yaml").write_text("model_parameters: {a: [\n")
    Path("short.yml").write_text("model_parameters: {model_name: a}\n")
    for word, told in {
        "missing.yaml": "no such file: missing.yaml.",
        "empty.yaml": "no `model_parameters:`",
        "flat.yaml": "no `model_parameters:`",
        "broken.yaml": "cannot read the model file broken.yaml",
        "short.yml": "rename short.yml",
    }.items():
        done = sobench("accelerate", word, "ifstruct")
        assert done.status == 2
        assert told in done.err
        assert done.err.startswith("sobench: ")
        assert len(done.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("eval", "--no-such-option"), "--no-such-option"),
        (("accelerate", "model_name=a"), "Missing argument"),
        (("no-such-command",), "no-such-command"),
        ((), "Missing command"),
        (("eval", "a/b", "ifstruct", "--max-tokens", "many"), "--max-tokens"),
        (("accelerate", "model_name=a,foo=1", "ifstruct"), "(TransformersModelConfig): foo: "),
        (("accelerate", "model_name=a,generation_parameters={b", "ifstruct"), "cannot read the model arguments"),
        (
            ("accelerate", "model_name=a", "ifstruct_smaple"),
            "no task 'ifstruct_smaple': did you mean `ifstruct_sample`?",
        ),
        (("accelerate", "model_name=a", "lists/mine.txt"), "no task and no file 'lists/mine.txt'"),
        (("accelerate", "model_name=a", "ifstruct|many"), "for example `ifstruct|0`"),
        (("accelerate", "model_name=a", "a|ifstruct|0|0"), "no task 'a|ifstruct|0|0': did you mean `ifstruct`?"),
        (("tasks", "inspect", "ifstruct", "--custom-tasks", "none.py"), "none.py: no such file"),
        (("custom", "a-model", "none.py", "ifstruct"), "no model definition file none.py"),
        (("vllm", "model_name=a", "ifstruct_sample"), "requested the use of"),
        (("accelerate", "model_name=./no/such/model", "ifstruct_sample"), "model"),
    ],
)
def test_a_mistake_ends_with_one_sentence(sobench, built, tmp_path, monkeypatch, words, told):
    monkeypatch.chdir(tmp_path)
    done = sobench(*words)
    (sentence,) = [line for line in done.err.splitlines() if line.startswith("sobench: ") and "repaired in" not in line]
    assert done.status == 2
    assert told in sentence
    assert "Traceback" not in done.err + done.out


def test_a_fault_keeps_its_traceback(launcher, built, monkeypatch):
    from lighteval.tasks.registry import Registry

    def broken(self):
        raise ValueError("the harness is wrong")

    monkeypatch.setattr(Registry, "get_tasks_dump", broken)
    hook = sys.excepthook
    with pytest.raises(ValueError, match="the harness is wrong"):
        launcher.run(["tasks", "dump"])
    assert sys.excepthook is hook  # not Typer's, which shows boxes


def test_an_unknown_field_that_only_we_can_have_set_keeps_its_traceback():
    from inspect_ai.model import GenerateConfig
    from pydantic import ValidationError

    from lighteval_tasks.commands import mistakes

    for settings, ours in (({"frequence_penalty": 1}, True), ({"reasoning_effort": "some"}, False)):
        with pytest.raises(ValidationError) as raised:
            GenerateConfig(**settings)
        told = mistakes.as_mistake(raised.value, [], [])
        assert told is None if ours else "reasoning_effort" in str(told)


def test_a_file_that_is_missing_inside_the_harness_is_no_mistake_of_the_user():
    from lighteval_tasks.commands import mistakes

    missing = FileNotFoundError(2, "No such file", "inner.json")
    assert mistakes.as_mistake(missing, ["custom", "a", "b.py"], []) is None
    assert str(mistakes.as_mistake(missing, ["eval", "inner.json"], [])) == "no such file: inner.json."


@pytest.mark.parametrize("raised", ["interrupt", "abort"])
def test_ctrl_c_ends_with_130_and_one_line(sobench, built, monkeypatch, raised):
    import typer
    from lighteval.tasks.registry import Registry

    def interrupted(self):
        raise KeyboardInterrupt if raised == "interrupt" else typer.Abort

    monkeypatch.setattr(Registry, "get_tasks_dump", interrupted)
    done = sobench("tasks", "dump")
    assert done.status == 130
    assert [line for line in done.err.splitlines() if "repaired in" not in line] == ["sobench: interrupted"]


def test_a_lighteval_that_is_missing_or_too_new_is_told(sobench, monkeypatch):
    from lighteval_tasks import versions

    monkeypatch.setattr(versions, "version", lambda name: "0.14.0")
    done = sobench("tasks", "list")
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert "lighteval 0.14.0 is not supported" in done.err

    def missing(name):
        raise versions.PackageNotFoundError(name)

    monkeypatch.setattr(versions, "version", missing)
    done = sobench("tasks", "list")
    assert done.status == 2
    assert "pip install 'sobench[lighteval]'" in done.err


# --- in a process of its own


def fresh(folder, *words):
    """`sobench lighteval` with no network behind it."""
    code = textwrap.dedent(
        f"""
        import sys
        sys.path[0] = {str(ROOT)!r}  # as a console script: the current folder is not searched
        from lighteval_tasks.commands.run import LIGHTEVAL
        from sobench_metrics.cli import main
        main.commands = lambda: {{"lighteval": LIGHTEVAL}}
        sys.exit(main.main(["lighteval", *sys.argv[1:]]))
        """
    )
    env = {**os.environ, "HF_HUB_OFFLINE": "1", "COLUMNS": "200"}
    env |= dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), DEAD)
    command = [sys.executable, "-c", code, *words]
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)


@pytest.mark.engine
def test_a_fresh_process_starts_offline_in_a_folder_full_of_traps(trap):
    import lighteval

    built_in = Path(lighteval.__file__).parent / "tasks/tasks"
    before = sorted(built_in.iterdir())
    done = fresh(trap, "tasks", "inspect", "ifstruct_sample", "--num-samples", "1", "--show-config")
    assert done.returncode == 0, done.stderr
    assert "ifstruct_sample" in done.stdout
    assert "-- sample 0 --" in done.stdout
    assert "repaired in lighteval 0.13.0: offline start" in done.stderr
    assert "nltk_data" not in done.stderr
    assert sorted(built_in.iterdir()) == before


@pytest.mark.engine
def test_a_fresh_process_ends_a_mistake_without_a_traceback(trap):
    done = fresh(trap, "accelerate", "model_name=a", "ifstruct_smaple")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith("sobench: no task 'ifstruct_smaple'")
    assert "Traceback" not in done.stderr + done.stdout


def test_an_in_memory_module_is_taken_as_the_harness_takes_it(launcher):
    from lighteval_tasks.commands import registration

    module = ModuleType("in_memory")
    module.TASKS_TABLE = []
    assert names_of(registration.combined(module)) == names_of(sys.modules["lighteval_tasks.tasks"])
    assert json.dumps(sorted(registration.names())).count("sobench_sample") >= 1
