"""Orders that cannot be filled are told before the first question, not after the last answer."""

from types import SimpleNamespace

import pytest

from lighteval_tasks import data
from lighteval_tasks.commands import mistakes
from lighteval_tasks.guards import inspect_rows, orders
from lighteval_tasks.inspect_tasks.samples import TaskRows
from sobench_metrics.errors import UsageError


def test_a_folder_that_takes_no_file_is_told_and_a_good_one_left_empty(tmp_path):
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file", tmp_path / "file/below"):
        with pytest.raises(UsageError, match="name another folder by --output-dir"):
            orders.refuse_folder(str(folder), "--output-dir")
    for folder in (str(tmp_path / "new/deep"), "s3://bucket/results", None):
        orders.refuse_folder(folder, "--output-dir")
    assert list((tmp_path / "new/deep").iterdir()) == []


@pytest.mark.parametrize("count", [0, -3])
def test_no_samples_are_not_all_samples(lighteval, model_yaml, count):
    with pytest.raises(UsageError, match=f"--max-samples {count} asks for nothing"):
        lighteval("accelerate", model_yaml("no/such-model"), "ifstruct_sample|0", "--max-samples", count)


def test_an_output_that_cannot_be_written_is_told_before_a_model_is_loaded(model_yaml, tmp_path):
    from lighteval_tasks.commands.run import run

    (tmp_path / "file").write_text("")
    words = ["accelerate", str(model_yaml("no/such-model")), "ifstruct_sample|0"]
    with pytest.raises(UsageError, match="no results can be written to"):
        run([*words, "--output-dir", str(tmp_path / "file")])


def test_an_interrupted_eval_is_no_success(tmp_path):
    asked = inspect_rows._with_care(lambda tasks, **options: (True, [SimpleNamespace(status="cancelled")]))
    task = SimpleNamespace(name="ifstruct_sample", dataset=TaskRows(data.load("ifstruct_sample")))
    with pytest.raises(KeyboardInterrupt):
        asked([task], log_dir=str(tmp_path), limit=None)


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (
            ValueError("Unrecognized configuration class <L> for this kind of AutoModel: X. Model type a, b"),
            "see --vision",
        ),
        (ValueError("Model name 'tiny' should be in the format of <api_name>/<model_name>."), "openai-api/local/MODEL"),
        (Exception("You need to select which org to push to, using --results_org"), "--results-org NAME"),
        (AttributeError("module 'torch' has no attribute 'float99'"), "float99"),
    ],
)
def test_the_harness_and_its_libraries_in_one_sentence(error, told):
    sentence = str(mistakes.as_mistake(error, [], []))
    assert told in sentence
    assert "Model type a, b" not in sentence


def test_a_dead_subcommand_points_to_ours():
    with pytest.raises(UsageError, match="use `sobench baseline`"):
        mistakes.look_ahead(["baseline", "ifstruct_sample|0"])
