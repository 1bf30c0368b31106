"""From `sobench prepare` to a table of numbers, with nothing set but the home folder."""

import json
import os
import subprocess
import sys

import pytest

from sobench_metrics.data import images, prepared
from tests.engines.chat_server import ChatServer, Expect, FromRequest, digest
from tests.engines.upstream import Upstream
from tests.lm_eval_tasks.conftest import GOOD_ANSWER
from tests.lm_eval_tasks.test_chat_server import arguments

TASKS = ["sobench_ui", "sobench_natural", "sobench_document", "sobench_chart"]


@pytest.fixture(scope="module")
def upstream():
    with Upstream() as server:
        yield server


def prepare(upstream, home, *words):
    command = [sys.executable, "-m", "sobench_metrics.cli.main", "prepare", *words]
    env = {**os.environ, **upstream.env, "SOBENCH_HOME": str(home)}
    subprocess.run(command, env=env, check=True, capture_output=True)
    return home


@pytest.fixture(scope="module")
def whole(upstream, tmp_path_factory):
    return prepare(upstream, tmp_path_factory.mktemp("whole"))


def answers_of(home):
    """What an oracle says to each picture and intent: two samples may share a picture."""
    root = prepared.prepared_root(home)
    told = {}
    for domain in prepared.DOMAINS:
        if (root / "data" / domain).is_dir():
            for doc in prepared.load(root, domain).docs:
                sha256 = digest(images.read_bytes(prepared.image_of(root, doc)))
                told[sha256, doc["user_intent"]] = doc["target_json"]
    return told


def oracle(home):
    told = answers_of(home)

    def answer(request):
        if not request.images:
            return GOOD_ANSWER
        (found,) = [
            target for (sha256, intent), target in told.items()
            if sha256 == request.images[0].sha256 and intent in request.text
        ]  # fmt: skip
        return found

    return FromRequest(answer)


@pytest.mark.parametrize("order", [[*TASKS, "ifstruct"], ["ifstruct", *TASKS]], ids=["images first", "text first"])
def test_the_oracle_scores_100_on_the_prepared_set_in_both_orders(
    evaluate, upstream, whole, rows_file, monkeypatch, order
):
    monkeypatch.setenv("SOBENCH_HOME", str(whole))
    with ChatServer(oracle(whole)) as server:
        results = evaluate("local-chat-completions", order, model_args=arguments(server, num_concurrent=4))
    shown = [request for request in server.requests if request.images]
    assert len(shown) == len(upstream.labels)
    system = json.loads((prepared.prepared_root(whole) / "prompts.json").read_text())["system"]
    for request in shown:
        expected = Expect(images=1, text_first=True, mime=("image/jpeg",), system=system, no_placeholder=False)
        assert expected.problems(request) == []
    for task in TASKS:
        figures = results["results"][task]
        assert figures["schema_validity,none"] == 1.0
        assert figures["invalid,none"] == 0.0
        assert figures["strict_field_f1,none"] == 1.0
        assert figures["strict_full_match,none"] == 1.0
    assert results["results"]["ifstruct"]["pass,none"] == 1.0


def test_every_number_of_a_partial_set_says_n_of_n(evaluate, upstream, tmp_path, monkeypatch, caplog):
    home = prepare(upstream, tmp_path / "home", "--domains", "natural", "--limit", "3")
    monkeypatch.setenv("SOBENCH_HOME", str(home))
    with ChatServer(oracle(home)) as server, caplog.at_level("INFO"):
        results = evaluate("local-chat-completions", ["sobench_natural"], model_args=arguments(server))
    told = json.dumps(results["configs"]["sobench_natural"], default=str)
    assert "3 of 5" in told or "3/5" in told, told
    assert "3 of 5" in caplog.text or "3/5" in caplog.text
