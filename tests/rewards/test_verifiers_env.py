"""The environment package: its doors for old and new verifiers, on stand-ins where that library is not installed."""

import asyncio
import importlib
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

import sobench_metrics.rewards
from sobench_metrics.data.oracle import ifstruct_answer

FOLDER = Path(sobench_metrics.rewards.__file__).parent / "verifiers_env"


@pytest.fixture
def package(monkeypatch):
    """The package as pip would install it, loaded anew; the library's stand-in comes before it."""
    monkeypatch.syspath_prepend(str(FOLDER))
    yield lambda: importlib.import_module("sobench_ifstruct")
    for name in [name for name in sys.modules if name.partition(".")[0] == "sobench_ifstruct"]:
        del sys.modules[name]


def test_load_environment_gives_rows_and_rewards(package, monkeypatch):
    pytest.importorskip("datasets")
    classic = ModuleType("verifiers")
    classic.Rubric = SimpleNamespace
    classic.SingleTurnEnv = SimpleNamespace
    monkeypatch.setitem(sys.modules, "verifiers", classic)
    env = package().load_environment(num_train=6, num_eval=4, seed=5, shaped_weight=0.5, max_workers=3)

    assert (len(env.dataset), len(env.eval_dataset), env.max_workers) == (6, 4, 3)
    assert [function.__name__ for function in env.rubric.funcs] == ["ifstruct_reward", "ifstruct_shaped_reward"]
    assert env.rubric.weights == [1.0, 0.5]
    kinds = [
        {info["entity_type"].partition("__")[0] for info in rows["info"]} for rows in (env.dataset, env.eval_dataset)
    ]
    assert kinds == [{"train"}, {"eval"}]
    for row in env.dataset:
        right = [{"role": "assistant", "content": ifstruct_answer(row["info"])}]
        assert [f(row["prompt"], right, row["answer"], {}, info=row["info"]) for f in env.rubric.funcs] == [1.0, 1.0]
        assert env.rubric.funcs[0](row["prompt"], [], row["answer"], {}, info=row["info"]) == 0.0


class Task:
    """Stands for verifiers' task: data, configuration, methods marked as rewards."""

    def __class_getitem__(cls, _parameters):
        return cls

    def __init__(self, data, config):
        self.data, self.config = data, config


class Data:
    """Stands for verifiers' task data: fields by annotation."""

    def __init_subclass__(cls):
        cls.model_fields = {"prompt": str, **cls.__annotations__}

    def __init__(self, **known):
        vars(self).update(known)


class Taskset:
    """Stands for verifiers' taskset."""

    def __class_getitem__(cls, _parameters):
        return cls

    def __init__(self, config):
        self.config = config


def test_the_taskset_makes_tasks_that_judge(package, monkeypatch):
    newer = ModuleType("verifiers.v1")
    newer.TaskData, newer.Task, newer.Taskset, newer.TasksetConfig, newer.Trace = Data, Task, Taskset, object, object
    newer.reward = lambda *, weight: lambda method: vars(method).update(weight=weight) or method
    library = ModuleType("verifiers")
    library.v1 = newer
    monkeypatch.setitem(sys.modules, "verifiers", library)
    monkeypatch.setitem(sys.modules, "verifiers.v1", newer)
    config = SimpleNamespace(rows=None, seed=5, split="eval", num_tasks=4, task=None)
    taskset = package().IfstructTaskset

    tasks = list(taskset(config).load())
    assert [vars(task.data) for task in tasks] == [vars(task.data) for task in taskset(config).load()]
    assert len({task.data.prompt for task in tasks}) == 4
    for task in tasks:
        row = vars(task.data) | {"entity_type": task.data.name}
        for text, reward in ((ifstruct_answer(row), 1.0), ("", 0.0)):
            trace = SimpleNamespace(last_reply=text)
            assert asyncio.run(task.ifstruct_reward(trace)) == reward
            assert asyncio.run(task.ifstruct_shaped_reward(trace)) == reward
    assert (taskset.load.__qualname__, tasks[0].ifstruct_shaped_reward.weight) == ("IfstructTaskset.load", 0.0)


def test_one_question_one_answer_is_the_default_harness(package, monkeypatch):
    """Verifiers takes the one harness that `__all__` brings, else a shell with tools."""
    null = ModuleType("verifiers.v1.harnesses.null")
    null.NullHarness = type("NullHarness", (), {})
    monkeypatch.setitem(sys.modules, "verifiers.v1.harnesses.null", null)
    module = package()
    assert [name for name in module.__all__ if name.endswith("Harness")] == ["IfstructHarness"]
    assert issubclass(module.IfstructHarness, null.NullHarness)


def test_the_project_file_names_the_package():
    lines = (FOLDER / "pyproject.toml").read_text(encoding="utf-8").splitlines()
    assert 'name = "sobench-ifstruct"' in lines  # verifiers looks for the module of this name
    assert 'packages = ["sobench_ifstruct"]' in lines
