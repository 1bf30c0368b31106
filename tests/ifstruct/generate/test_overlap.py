"""A generated prompt keeps away from the rows that it must not resemble."""

import json

import pytest

from sobench_metrics.data.sample import ifstruct_rows_file
from sobench_metrics.errors import UsageError
from sobench_metrics.ifstruct.generate.against import prompts_to_avoid
from sobench_metrics.ifstruct.generate.proofs.overlap import Overlap
from sobench_metrics.ifstruct.generate.row_maker import Maker
from sobench_metrics.ifstruct.generate.settings import Settings

WORDS = [f"word{number}" for number in range(200)]
PROMPT = " ".join(WORDS)


def test_a_copy_is_as_near_as_can_be_and_a_stranger_is_not_near():
    overlap = Overlap([PROMPT, "something else entirely"])
    assert (overlap.nearness(PROMPT).shared, overlap.nearness(PROMPT).jaccard) == (1.0, 1.0)
    stranger = overlap.nearness(" ".join(reversed(WORDS)))
    assert (stranger.shared, stranger.jaccard, stranger.too_near) == (0.0, 0.0, False)


def test_one_run_of_eight_words_is_too_near_and_seven_are_not():
    overlap = Overlap([PROMPT])
    assert overlap.nearness("a b c " + " ".join(WORDS[40:48]) + " d e f").too_near
    assert not overlap.nearness("a b c " + " ".join(WORDS[40:47]) + " d e f").too_near


def test_a_reworded_copy_is_found_by_its_short_runs():
    reworded = " ".join("other" if number % 7 == 6 else word for number, word in enumerate(WORDS))
    found = Overlap([PROMPT]).nearness(reworded)
    assert found.shared == 0.0
    # 198 runs of three words on either side, 4 of 7 of them the same: 113 / (198 + 198 - 113) = 0.40
    assert 0.25 < found.jaccard < 0.55


def test_case_and_punctuation_do_not_hide_a_copy():
    assert Overlap([PROMPT]).nearness(PROMPT.upper().replace(" ", ",\n")).shared == 1.0


def test_nothing_to_keep_away_from_is_near_to_nothing():
    assert not Overlap([]).nearness(PROMPT).too_near
    assert not Overlap([PROMPT]).nearness("").too_near


def test_a_row_that_comes_near_is_drawn_anew_and_counted():
    alone = Maker(Settings(3, "train")).row(5)
    again = Maker(Settings(3, "train", against=(alone.row["prompt"],))).row(5)
    assert again.row["prompt"] != alone.row["prompt"]
    assert again.note["replaced"]["overlap"] >= 1  # other draws share the odd sentence with it
    assert again.note["shared_runs"] == 0.0


def test_rows_of_this_very_command_cannot_be_kept_away_from():
    class Everywhere:
        def nearness(self, _prompt):
            return Overlap([PROMPT]).nearness(PROMPT)

    maker = Maker(Settings(3, "train"))
    maker._overlap = Everywhere()
    with pytest.raises(UsageError, match="too near to the rows named by --against in each of 12 draws"):
        maker.row(0)


def test_the_environment_is_heeded_when_it_names_the_test_set(monkeypatch, tmp_path):
    rows = [json.loads(line) for line in ifstruct_rows_file().read_text(encoding="utf-8").splitlines()[:2]]
    file = tmp_path / "rows.jsonl"
    monkeypatch.delenv("SOBENCH_IFSTRUCT", raising=False)
    assert prompts_to_avoid(None) == ((), None)
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    monkeypatch.setenv("SOBENCH_IFSTRUCT", str(file))
    assert prompts_to_avoid(None) == ((), None)  # rows of somebody's own
    rows[0]["entity_type"] = "test__escaping__pr_discussion"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    prompts, revision = prompts_to_avoid(None)
    assert prompts == tuple(row["prompt"] for row in rows)
    assert revision.startswith("file:")
    monkeypatch.setenv("SOBENCH_IFSTRUCT", str(tmp_path / "gone"))
    with pytest.raises(UsageError, match=r"SOBENCH_IFSTRUCT is of no use .* does not exist"):
        prompts_to_avoid(None)
