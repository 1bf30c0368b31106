"""What a user sets for the server route, and the schemas that it can send."""

import pytest
from jsonschema import Draft202012Validator

from lighteval_tasks import server
from lighteval_tasks.chat import schemas
from lighteval_tasks.chat.settings import ServerSettings, from_environment
from sobench_metrics.errors import UsageError
from tests.lm_eval_tasks.conftest import ROW

URL = {"SOBENCH_SERVER_URL": "http://there:8000/v1"}


@pytest.mark.parametrize(
    "address",
    ["http://there/v1", "http://there/v1/", "http://there/v1/chat/completions", "http://there/v1/chat/completions/"],
)
def test_an_address_may_end_at_v1_or_be_whole(address):
    assert from_environment({"OPENAI_BASE_URL": address}).url == "http://there/v1/chat/completions"
    other = from_environment({"SOBENCH_SERVER_URL": f"{address}?version=1", "OPENAI_BASE_URL": "http://other/v1"})
    assert other.url == "http://there/v1/chat/completions?version=1"


def test_keys_and_defaults():
    assert from_environment(URL) == ServerSettings("http://there:8000/v1/chat/completions")
    assert from_environment({**URL, "OPENAI_API_KEY": "theirs"}).key == "theirs"
    assert from_environment({**URL, "OPENAI_API_KEY": "theirs", "SOBENCH_SERVER_KEY": "ours"}).key == "ours"
    assert "ours" not in repr(from_environment({**URL, "SOBENCH_SERVER_KEY": "ours"}))
    assert from_environment({**URL, "SOBENCH_SERVER_TEMPERATURE": "none"}).sampling == {}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("URL", "there:8000"), ("URL", "ftp://there/v1"), ("URL", "http:///v1"), ("URL", "http://there:x/v1"),
        ("URL", "http://user:word@there/v1"), ("URL", "http://the re/v1"), ("URL", "http://[/v1"),
        ("KEY", "two\nlines"), ("KEY", "schlüssel"), ("KEY", " "),
        ("CONCURRENT", "0"), ("CONCURRENT", "-1"), ("CONCURRENT", "2.5"), ("CONCURRENT", "²"), ("CONCURRENT", "9" * 5000),
        ("TRIES", "0"), ("TRIES", "many"),
        ("TIMEOUT", "0"), ("TIMEOUT", "-1"), ("TIMEOUT", "inf"), ("TIMEOUT", "nan"), ("TIMEOUT", "long"),
        ("TEMPERATURE", "-1"), ("TEMPERATURE", "hot"), ("TEMPERATURE", "nan"),
        ("SCHEMA", "json"), ("LIMIT_FIELD", "n_predict"),
        ("EXTRA_BODY", "{"), ("EXTRA_BODY", "[1]"), ("EXTRA_BODY", '{"messages": []}'), ("EXTRA_BODY", '{"stream": true}'),
        ("EXTRA_BODY", '{"max_tokens": 1}'), ("EXTRA_BODY", '{"temperature": 1}'), ("EXTRA_BODY", "[" * 200_000),
    ],
)  # fmt: skip
def test_a_value_that_cannot_be_meant_is_told_by_its_name(name, value):
    with pytest.raises(UsageError, match=f"SOBENCH_SERVER_{name}"):
        from_environment({**URL, f"SOBENCH_SERVER_{name}": value})


def test_two_constraints_are_one_too_many():
    extra = {"SOBENCH_SERVER_EXTRA_BODY": '{"response_format": {"type": "json_object"}}'}
    assert from_environment({**URL, **extra}).extra_body
    with pytest.raises(UsageError, match="SOBENCH_SERVER_SCHEMA"):
        from_environment({**URL, **extra, "SOBENCH_SERVER_SCHEMA": "vllm"})


# ---------------------------------------------------------------- schemas, and the file that lighteval reads


@pytest.mark.parametrize("columns", [{"output_format": "yaml"}, {"require_code_block": True}])
def test_what_is_no_json_text_has_no_schema(columns):
    assert schemas.schema_for({**ROW, **columns}) is None


@pytest.mark.parametrize(
    ("count", "kept"),
    [("3", [3]), ("[1, 4]", [1, 2, 3, 4]), ("null", [0, 1, 2, 3, 4, 5])],
)
def test_a_schema_holds_the_number_of_items(count, kept):
    columns = {"json_schema": '{"type": "array", "items": {"type": "integer"}}', "top_level_count": count}
    check = Draft202012Validator(schemas.schema_for({**ROW, **columns}))
    assert [size for size in range(6) if check.is_valid([7] * size)] == kept


def test_a_schema_that_is_no_object_is_not_sent():
    assert schemas.schema_for({"schema_json": "true"}) is None


@pytest.mark.parametrize(("name", "sent"), [("a/b c", "a_b_c"), ("x" * 99, "x" * 64), ("", "answer"), ("é", "_")])
def test_a_schemas_name_is_one_that_servers_take(name, sent):
    assert schemas.request_fields("json_schema", name, {})["response_format"]["json_schema"]["name"] == sent


def test_the_file_shows_lighteval_one_model_class():
    from lighteval.models.abstract_model import LightevalModel

    classes = {
        found for found in vars(server).values() if isinstance(found, type) and issubclass(found, LightevalModel)
    }
    assert classes - {LightevalModel} == {server.ChatServer}
