"""What a user installs: task YAML, sample set and marker inside, nothing of tests or labels."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    out = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    (file,) = out.glob("*.whl")
    return file


def test_the_wheel_holds_what_the_tasks_need_and_no_more(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    for file in (ROOT / "lm_eval_tasks").rglob("*.yaml"):
        assert file.relative_to(ROOT).as_posix() in names
    for file in (ROOT / "sobench_metrics/data/sample").rglob("*"):
        if file.is_file() and "__pycache__" not in file.parts:
            assert file.relative_to(ROOT).as_posix() in names
    for file in (ROOT / "leaderboard_configs").rglob("*.*"):
        assert f"sobench_metrics/{file.relative_to(ROOT).as_posix()}" in names
    assert "sobench_metrics/py.typed" in names
    rooms = {name.split("/")[0] for name in names if ".dist-info" not in name}
    assert rooms == {"sobench_metrics", "lm_eval_tasks", "lighteval_tasks"}
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert wheel.stat().st_size < 5_000_000


def test_tasks_load_from_the_installed_wheel(wheel, tmp_path):
    # unpacked, as pip would: no checkout on the path
    zipfile.ZipFile(wheel).extractall(tmp_path)
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); import lm_eval_tasks; assert lm_eval_tasks.__file__.startswith(sys.argv[1]);"
        "from lm_eval_tasks.commands.baseline import run_baseline, imperfect;"
        "print(imperfect(run_baseline('oracle', ['sobench_chart_sample', 'ifstruct_yaml_sample'])))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, cwd=tmp_path, check=True
    )
    assert done.stdout.strip().splitlines()[-1] == "[]"


def test_lighteval_reads_the_tasks_from_the_installed_wheel(wheel, tmp_path):
    zipfile.ZipFile(wheel).extractall(tmp_path)
    (tmp_path / "elsewhere/lighteval_tasks").mkdir(parents=True)  # where one stands, with a trap
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]);"
        "from lighteval_tasks import repairs; assert repairs.__file__.startswith(sys.argv[1]); repairs.apply_all();"
        "from lighteval.tasks.registry import Registry;"
        "tasks = Registry('ifstruct_sample|0,sobench_sample|0', custom_tasks='lighteval_tasks.tasks').load_tasks();"
        "from lighteval.tasks.lighteval_task import LightevalTask; LightevalTask.load_datasets(tasks);"
        "print(sum(len(task.get_docs()) for task in tasks.values()))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)],
        capture_output=True,
        text=True,
        cwd=tmp_path / "elsewhere",
        check=True,
    )
    assert done.stdout.strip().splitlines()[-1] == str(72 + 56)


def test_ready_made_configurations_are_found_in_the_installed_wheel(wheel, tmp_path):
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]);"
        "from sobench_metrics.leaderboard_files import find; print(find('ifstruct_vllm'));"
        "from sobench_metrics.export.profiles import profile_of; print(profile_of('sobench').n)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "site")], capture_output=True, text=True, cwd=tmp_path, check=True
    )
    file, n = done.stdout.split()
    assert file == str(tmp_path / "site/sobench_metrics/leaderboard_configs/lm_eval/ifstruct_vllm.yaml")
    assert n == "1751"
