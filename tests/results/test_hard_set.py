"""Saved answers to the hard set get the figures that its tasks give."""

import json

import pytest

from sobench_metrics.cli.main import main
from sobench_metrics.data.hard_rows import load_hard_rows
from tests.ifstruct.hard.faults import faulty_answers

TASK = "ifstruct_hard_sample"


@pytest.fixture
def answers():
    return {row["doc_id"]: row["oracle_answer"] for row in load_hard_rows(sample=True).rows}


def scored(tmp_path, capsys, answers):
    file, out = tmp_path / "answers.jsonl", tmp_path / "figures.jsonl"
    file.write_text("".join(json.dumps({"doc_id": key, "response": text}) + "\n" for key, text in answers.items()))
    assert main(["score", str(file), "--task", TASK, "--workers", "1", "--out", str(out)]) == 0
    return capsys.readouterr().out


def figures(told):
    return {line.split()[0]: line.split()[-1] for line in told.splitlines() if "±" in line}


def test_right_answers_get_all_figures_and_a_strict_fault_costs_the_strict_one(tmp_path, capsys, answers):
    row = load_hard_rows(sample=True).rows[20]
    answers[row["doc_id"]] = next(faulty_answers(row, "strict.content.key_order"))
    told = figures(scored(tmp_path, capsys, answers))
    assert (told["pass"], told["pass_strict"], told["pass_strict_level_3"]) == ("40/40", "39/40", "7/8")
    assert (told["pass_level_3"], told["pass_strict_level_5"]) == ("8/8", "8/8")
