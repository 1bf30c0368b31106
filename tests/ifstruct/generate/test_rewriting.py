"""A model words the prompts that think out loud; what it gets wrong never reaches a row."""

import json
import re
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from sobench_metrics.errors import UsageError
from sobench_metrics.ifstruct.generate.generation import generate
from sobench_metrics.ifstruct.generate.settings import Rewriting, Settings
from sobench_metrics.ifstruct.generate.thinking import endpoint
from sobench_metrics.ifstruct.generate.wording.rules import CLAUSES


def draft_in(asked):
    return asked.partition("<message>\n")[2].partition("\n</message>")[0]


def good(asked):
    """A model that words the beginning otherwise and keeps what was settled."""
    return "Let me think. I wanted `page_total`, no, forget that one.\n\n" + draft_in(asked)


def sloppy(asked):
    """One that loses half of what was asked."""
    draft = good(asked)
    return draft[: len(draft) // 2]


def forgetful(asked):
    """One that says of the form of the answer nothing at all."""
    clauses = [text for states in CLAUSES.values() for texts in states.values() for text in texts]
    said = good(asked)
    for clause in clauses:
        said = re.sub(
            re.escape(clause).replace(r"\{key\}", r"\w+").replace(r"\{f\}", r"\w+"), "well", said, flags=re.IGNORECASE
        )
    return said


def stubborn(asked):
    """One that turns everything round after it was settled."""
    return good(asked) + "\nOn the other hand, answer in JSON. No, answer in YAML. And `bonus`, an integer."


def chatty(asked):
    return "<think>what might they want</think>" + good(asked)


@contextmanager
def model(answer, status=200):
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked.append((self.path, self.headers.get("Authorization"), body))
            text = answer(body["messages"][0]["content"])
            sent = json.dumps({"choices": [{"message": {"content": text}}]}) if status == 200 else "{}"
            self.send_response(status)
            self.end_headers()
            self.wfile.write(sent.encode())

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield Rewriting(f"http://127.0.0.1:{server.server_port}/v1", "tiny", concurrency=3, tries=2, timeout=30), asked
    finally:
        server.shutdown()
        server.server_close()


def made_with(answer, folder, status=200):
    with model(answer, status) as (rewriting, asked):
        made = generate(Settings(4, "train", rewriting=rewriting), 60, folder, formats=("jsonl",))
    rows = [json.loads(line) for line in (folder / "train.jsonl").read_text(encoding="utf-8").splitlines()]
    notes = [json.loads(line) for line in (folder / "train.notes.jsonl").read_text(encoding="utf-8").splitlines()]
    thinking = [row for row, note in zip(rows, notes) if note["style"] == "thinking"]
    return made, thinking, asked, rows


@pytest.fixture(autouse=True)
def no_pause(monkeypatch):
    monkeypatch.setattr(endpoint, "_FIRST_PAUSE", 0)


@pytest.mark.parametrize("answer", [good, chatty])
def test_a_models_words_are_taken_when_every_fact_survived(answer, tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "k3y")
    made, thinking, asked, rows = made_with(answer, tmp_path)
    assert made.tally.worded_by == {"model": len(thinking)}
    assert thinking
    assert all(row["prompt"].startswith("Let me think.") for row in thinking)
    path, key, body = asked[0]
    assert (path, key, body["model"]) == ("/v1/chat/completions", "Bearer k3y", "tiny")
    # rows of other styles are those that no model has a hand in
    generate(Settings(4, "train"), 60, tmp_path / "plain", formats=("jsonl",))
    plain = [json.loads(line) for line in (tmp_path / "plain" / "train.jsonl").read_text().splitlines()]
    same = [row for row in rows if row not in thinking]
    assert same == [row for row in plain if row["doc_id"] not in {one["doc_id"] for one in thinking}]
    assert [row["doc_id"] for row in rows] == list(range(60))


@pytest.mark.parametrize("answer", [sloppy, stubborn, lambda _: "", lambda _: "No.", lambda _: None, lambda _: ["x"]])
def test_what_a_model_gets_wrong_is_worded_by_rules_and_counted(answer, tmp_path):
    made, thinking, asked, rows = made_with(answer, tmp_path)
    assert made.tally.worded_by == {"rules, the model failed": len(thinking)}
    assert len(asked) == 2 * len(thinking)
    assert len(rows) == made.tally.rows == 60
    assert not any(row["prompt"].startswith("Let me think.") for row in thinking)


def test_a_model_that_lost_little_gets_a_last_word(tmp_path):
    made, thinking, _, _ = made_with(forgetful, tmp_path)
    assert made.tally.worded_by["model and a last word of ours"]
    mended = [row["prompt"] for row in thinking if row["prompt"].startswith("Let me think.")]
    assert len(mended) == made.tally.worded_by["model and a last word of ours"]
    for prompt in mended:
        wording, _, last = re.split(r"\n\n(One last time[^\n]*|To be clear[^\n]*|For the record:)\n", prompt)
        assert "JSON" not in wording
        assert "JSON" in last or "YAML" in last


def test_a_server_that_recovers_is_asked_again(tmp_path, monkeypatch):
    posted, failures = endpoint._posted, iter([TimeoutError("late"), ConnectionResetError("cut")])

    def flaky(rewriting, body):
        if (failure := next(failures, None)) is not None:
            raise failure
        return posted(rewriting, body)

    monkeypatch.setattr(endpoint, "_posted", flaky)
    made, thinking, _, _ = made_with(good, tmp_path)
    assert made.tally.worded_by == {"model": len(thinking)}


@pytest.mark.parametrize("status", [401, 404, 503])
def test_a_server_that_refuses_for_good_is_told_in_a_sentence(status, tmp_path):
    with pytest.raises(UsageError, match=rf"does not answer .* \(status {status}\): correct --rewrite-url"):
        made_with(good, tmp_path, status)
    assert (tmp_path / ".train.partial" / "rows.jsonl").exists()  # what was made so far
