"""The chat server must see what a client got wrong; a server that overlooks a lost picture proves nothing."""

import base64
import http.client
import json
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.engines.chat_server import ChatServer, Expect, Fault, always, by_image, by_prompt, conforming, digest
from tests.engines.shapes import series

PNG, JPEG = series(1)[0].png(), series(2)[1].jpeg()


def text(words):
    return {"type": "text", "text": words}


def image(data, mime="image/png"):
    return {"type": "image_url", "image_url": {"url": f"data:{mime};base64,{base64.b64encode(data).decode()}"}}


def ask(server, *parts, system=None, **fields):
    """Status and answer of one request; no other client code, so nothing is retried."""
    messages = [{"role": "system", "content": system}] if system is not None else []
    messages.append({"role": "user", "content": parts[0] if isinstance(parts[0], str) else list(parts)})
    body = json.dumps({"model": "m", "messages": messages, **fields}).encode()
    call = urllib.request.Request(server.url, body, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(call, timeout=10) as reply:
            return reply.status, json.load(reply)["choices"][0]["message"]["content"]
    except urllib.error.HTTPError as error:
        return error.code, dict(error.headers)
    except (urllib.error.URLError, http.client.HTTPException, ConnectionError) as error:
        return "drop", error


def test_everything_about_a_request_is_recorded():
    form = {"type": "json_object"}
    with ChatServer(always("yes")) as server:
        sent = ask(
            server,
            text("look"),
            image(PNG),
            image(JPEG, "image/jpeg"),
            system="be brief",
            max_tokens=7,
            temperature=0.0,
            stop=["x"],
            response_format=form,
        )
    assert sent == (200, "yes")
    (seen,) = server.requests
    assert (seen.system, seen.text, seen.parts, seen.roles) == (
        "be brief",
        "look",
        ("text", "image", "image"),
        ("system", "user"),
    )
    assert [(one.declared, one.actual, one.size, one.sha256) for one in seen.images] == [
        ("image/png", "image/png", len(PNG), digest(PNG)),
        ("image/jpeg", "image/jpeg", len(JPEG), digest(JPEG)),
    ]
    assert seen.settings == {"model": "m", "max_tokens": 7, "temperature": 0.0, "stop": ["x"], "response_format": form}
    assert (seen.status, seen.reply, seen.attempt) == (200, "yes", 1)


@pytest.mark.parametrize(
    ("expect", "parts", "complaint"),
    [
        (Expect(images=1), [text("a")], "0 images instead of 1"),
        (Expect(text_first=True), [image(PNG), text("a")], "parts come as image, text"),
        (Expect(), [text("a"), image(JPEG)], "declared image/png and is image/jpeg"),
        (Expect(mime=("image/jpeg",)), [text("a"), image(PNG)], "is image/png, not image/jpeg"),
        (Expect(), [text("a <image>")], "literal <image>"),
        (Expect(), [text("a"), image(b"no picture")], "bytes are no PNG"),
        (Expect(), [{"type": "image_url", "image_url": {"url": "http://x/y.png"}}], "not a data URL"),
        (Expect(), [{"type": "image_url", "image_url": {"url": "data:image/png;base64,@@"}}], "base64"),
        (Expect(system="rules"), [text("a")], "the system message is None"),
        (Expect(settings={"max_tokens": 9}), [text("a")], "max_tokens is None instead of 9"),
    ],
)
def test_a_request_that_is_not_as_expected_is_refused_and_the_test_fails(expect, parts, complaint):
    with pytest.raises(AssertionError, match="not as expected") as raised, ChatServer(expect=expect) as server:
        assert ask(server, *parts)[0] == 400
    assert complaint in str(raised.value)


def test_a_request_as_expected_passes():
    expect = Expect(images=1, text_first=True, mime=("image/jpeg",), system="rules", settings={"max_tokens": 9})
    with ChatServer(always("ok"), expect=expect) as server:
        assert ask(server, text("a"), image(JPEG, "image/jpeg"), system="rules", max_tokens=9) == (200, "ok")


def test_a_body_that_is_no_chat_is_refused():
    with ChatServer(strict=False) as server:
        assert ask(server, {"type": "audio"})[0] == 400
    assert "audio" in server.problems[0]


def test_answers_by_image_by_prompt_and_by_schema():
    schema = {"type": "object", "required": ["a"], "properties": {"a": {"type": "integer", "minimum": 3}}}
    with ChatServer(by_image({digest(PNG): "png"})) as server:
        assert ask(server, text("?"), image(PNG)) == (200, "png")
        assert ask(server, text("?"), image(JPEG, "image/jpeg"))[0] == 404
    with ChatServer(by_prompt({digest("who"): "me", digest("null"): None})) as server:
        assert ask(server, "who") == (200, "me")
        assert ask(server, "null") == (200, None)
    with ChatServer(conforming("```json\n{}\n```")) as server:
        assert ask(server, f"Schema: {json.dumps(schema)} Go.") == (200, '```json\n{"a": 3}\n```')
        form = {"type": "json_schema", "json_schema": {"name": "x", "schema": {"const": 5}}}
        assert ask(server, f"{json.dumps(schema)}", response_format=form) == (200, "```json\n5\n```")
    with ChatServer(lambda prompt, images: prompt.upper() if images else 503) as server:
        assert ask(server, text("abc"), image(PNG)) == (200, "ABC")
        assert ask(server, text("abc"))[0] == 503


def test_staged_failures():
    faults = [
        Fault(500, only={digest("broken")}),
        Fault(429, only={digest("busy")}, tries=2, retry_after=0.5),
        Fault("drop", only={digest(PNG)}, tries=1),
    ]
    with ChatServer(always("ok"), faults=faults) as server:
        assert [ask(server, "broken")[0] for _ in range(3)] == [500, 500, 500]
        status, headers = ask(server, "busy")
        assert (status, headers["Retry-After"]) == (429, "0.5")
        assert [ask(server, "busy")[0] for _ in range(2)] == [429, 200]
        assert [ask(server, text("x"), image(PNG))[0] for _ in range(2)] == ["drop", 200]
        assert ask(server, "fine") == (200, "ok")
    assert [one.attempt for one in server.requests if one.text == "busy"] == [1, 2, 3]


def test_failures_fall_on_the_same_questions_in_any_order():
    def failing(order, threads):
        with ChatServer(always("ok"), faults=[Fault(500, share=0.3)]) as server, ThreadPoolExecutor(threads) as pool:
            statuses = list(pool.map(lambda n: ask(server, f"question {n}")[0], order))
        return {n for n, status in zip(order, statuses, strict=True) if status == 500}

    numbers = list(range(60))
    alone = failing(numbers, 1)
    assert 5 < len(alone) < 35
    assert failing(numbers[::-1], 12) == alone


def test_the_peak_in_flight_is_a_matter_of_fact():
    with ChatServer(always("ok"), gather=5) as server, ThreadPoolExecutor(5) as pool:
        list(pool.map(lambda n: ask(server, str(n)), range(20)))
    assert server.max_in_flight == 5
    with ChatServer(always("ok")) as server:
        for n in range(3):
            ask(server, str(n))
    assert server.max_in_flight == 1


def test_models_are_listed():
    with ChatServer(model="abc") as server, urllib.request.urlopen(f"{server.root}/models", timeout=10) as reply:
        assert json.load(reply)["data"][0]["id"] == "abc"
