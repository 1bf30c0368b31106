"""A model words the prompts that think out loud; what it gets wrong never reaches a row."""

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from sobench_metrics.errors import UsageError
from sobench_metrics.ifstruct.generate.generation import generate
from sobench_metrics.ifstruct.generate.settings import Rewriting, Settings
from sobench_metrics.ifstruct.generate.thinking import endpoint


def facts_of(asked):
    """Return the facts that a task lists."""
    return [line.split("\n\n")[0] for line in asked.split("\n- ")[1:]]


def good(asked):
    """A model that thinks out loud and settles on every fact."""
    return said_well(facts_of(asked))


def said_well(said):
    told = [f"Hmm. {fact[0].upper()}{fact[1:]}." if not fact.startswith("`") else f"So {fact}." for fact in said]
    return "Let me think. I wanted `page_total`, no, forget that one.\n\n" + "\n".join(told)


def sloppy(asked):
    """One that loses half of what was asked."""
    said = facts_of(asked)
    return said_well(said[: len(said) // 2])


def forgetful(asked):
    """One that loses the last field only."""
    return said_well(facts_of(asked)[:-1])


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
    assert made.tally.worded_by == {"model and a last word of ours": len(thinking)}
    for row in thinking:
        *_, lead, last = row["prompt"].split("\n")
        assert lead.endswith(":")
        assert last.startswith("`"), row["prompt"]


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
