"""`enable` makes the plain harness see the tasks; `disable` undoes it to the last byte. In an environment of its own."""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LIST = "from lm_eval.tasks import TaskManager; print(sorted(t for t in TaskManager(include_defaults=False).all_tasks))"


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """A fresh environment that borrows this one's packages, and this checkout, by path."""
    folder = tmp_path_factory.mktemp("venv") / "env"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    (site,) = folder.glob("lib/python*/site-packages")
    (site / "borrowed.pth").write_text(f"{sysconfig.get_paths()['purelib']}\n{ROOT}\n")
    return folder


@pytest.fixture
def run(environment, tmp_path):
    def run(*words, **more):
        env = {**os.environ, "HOME": str(tmp_path), **more}
        done = subprocess.run(
            [environment / "bin/python", *words], capture_output=True, text=True, env=env, cwd=tmp_path, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def sobench(run, word):
    return run("-m", "sobench_metrics.cli.main", word)


def files(environment):
    return sorted(str(path) for path in environment.rglob("*") if "__pycache__" not in path.parts)


def test_enable_then_disable_leaves_nothing(environment, run):
    before = files(environment)
    assert "sobench_ui" not in run("-c", LIST)
    assert "enabled" in sobench(run, "enable")
    assert {"sobench_ui", "ifstruct"} <= set(eval(run("-c", LIST)))
    sobench(run, "enable")  # twice is once
    assert "disabled" in sobench(run, "disable")
    assert files(environment) == before
    assert "sobench_ui" not in run("-c", LIST)
    assert "nothing to undo" in sobench(run, "disable")


def test_the_users_own_tasks_win_and_the_switch_is_honoured(environment, run, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/x.yaml").write_text("task: ifstruct\ndataset_path: json\n")
    ask = (
        "from lm_eval.tasks import TaskManager; t = TaskManager(include_path='mine', include_defaults=False); "
        "print(t.task_index['ifstruct'].yaml_path, 'sobench_ui' in t.all_tasks)"
    )
    sobench(run, "enable")
    try:
        assert run("-c", ask).split() == ["mine/x.yaml", "True"]
        assert "sobench_ui" not in run("-c", LIST, SOBENCH_AUTOLOAD="0")
        shown = run("-m", "lm_eval", "validate", "--tasks", "sobench_ui,ifstruct")
        assert "sobench_ui" in shown
    finally:
        sobench(run, "disable")


def test_an_editable_lm_eval_is_found_by_its_own_finder(environment, run, tmp_path):
    # editable installs hang a finder behind the path finder; only the package's record lies on the path
    finder = (
        "import sys, importlib.machinery as m\n"
        f"WHERE = {sysconfig.get_paths()['purelib']!r}\n"
        "class Finder:\n"
        "    @classmethod\n"
        "    def find_spec(cls, name, path=None, target=None):\n"
        "        return m.PathFinder.find_spec(name, path or [WHERE], target)\n"
        "sys.path[sys.path.index(WHERE)] = 'records'\n"
        "sys.meta_path.append(Finder)\n"
    )
    (tmp_path / "editable.py").write_text(finder)
    (tmp_path / "records").mkdir()
    for record in Path(sysconfig.get_paths()["purelib"]).glob("*.dist-info"):
        (tmp_path / "records" / record.name).symlink_to(record)
    sobench(run, "enable")
    try:
        assert "sobench_ui" in run("-c", f"import editable; {LIST}")
    finally:
        sobench(run, "disable")


def test_without_the_package_the_line_does_nothing(environment, run):
    sobench(run, "enable")
    (site,) = environment.glob("lib/python*/site-packages")
    borrowed = site / "borrowed.pth"
    text = borrowed.read_text()
    borrowed.write_text("")
    try:
        assert run("-c", "import sys; print('lm_eval_tasks' in sys.modules)").strip() == "False"
    finally:
        borrowed.write_text(text)
        sobench(run, "disable")


def test_a_start_of_the_interpreter_loads_next_to_nothing(run):
    sobench(run, "enable")
    try:
        ask = "import sys; print(sorted(n for n in sys.modules if n.split('.')[0] in ('lm_eval', 'yaml', 'sobench_metrics', 'typing')))"
        assert run("-c", ask).strip() == "[]"
    finally:
        sobench(run, "disable")


def test_a_folder_that_is_never_read_is_not_written(monkeypatch):
    # in a virtual environment the user's site-packages are switched off
    from lm_eval_tasks.commands import enable

    monkeypatch.setattr(enable.os, "access", lambda *_: False)
    monkeypatch.setattr(enable.site, "ENABLE_USER_SITE", False)
    assert enable.pth_file().parent == Path(sysconfig.get_paths()["purelib"])
    monkeypatch.setattr(enable.site, "ENABLE_USER_SITE", True)
    assert enable.pth_file().parent == Path(enable.site.getusersitepackages())
