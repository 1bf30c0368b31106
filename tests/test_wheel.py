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
    assert "sobench_metrics/py.typed" in names
    assert {name.split("/")[0] for name in names if ".dist-info" not in name} == {"sobench_metrics", "lm_eval_tasks"}
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
