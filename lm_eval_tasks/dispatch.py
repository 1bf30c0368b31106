"""Image requests get a request type of their own, text requests with a schema another, and every LM the methods.

lm-eval collects the requests of all tasks by type and hands each list to the LM method named by the type; the
backends then look at the first request to decide whether the whole list has pictures. A list that mixes both
crashes them, or (chat servers, text first) loses the pictures without a word. With a type of their own, image
requests always arrive alone. The methods are added, nothing is replaced.
"""

from __future__ import annotations

import logging
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from lm_eval.api.instance import Instance
from lm_eval.api.model import LM, CacheHook, CachingLM, hash_args

from lm_eval_tasks import chat_server, constraint, local_engine
from lm_eval_tasks.answer import Answer, FailedGeneration, Skipped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["REQUEST_TYPE", "TEXT_TYPE", "FailedGeneration", "install", "request"]

REQUEST_TYPE = "generate_until_sobench"
TEXT_TYPE = "generate_until_sobench_text"
_WORDS = {REQUEST_TYPE: "image", TEXT_TYPE: "constrained text"}
log = logging.getLogger(f"lm_eval.{__name__}")  # the harness shows its own loggers only


def request(kind: str, doc: dict[str, Any], arguments: tuple[Any, ...], metadata: Any) -> list[Instance]:
    """Return the one request of a doc, of our own kind; `arguments` are context, generation arguments, and the rest."""
    return [
        Instance(
            request_type=kind,  # type: ignore[arg-type] - the harness takes any name, its annotation knows its own
            doc=doc,
            arguments=arguments,
            idx=0,
            metadata=metadata,
        )
    ]


def install() -> None:
    """Give `LM` and `CachingLM` the methods that `evaluate()` looks up; a second call changes nothing."""
    for kind in (REQUEST_TYPE, TEXT_TYPE):
        if not hasattr(LM, kind):
            setattr(LM, kind, _generate)
        if kind not in vars(CachingLM):
            setattr(CachingLM, kind, _cached(kind))


def _generate(self: LM, requests: list[Instance]) -> list[str]:
    answers: list[str] = [""] * len(requests)
    constraint.tell(self, requests)
    _ask(self, requests, answers.__setitem__)
    return answers


def _cached(kind: str) -> Callable[[CachingLM, list[Instance]], list[str]]:
    def generate_cached(self: CachingLM, requests: list[Instance]) -> list[str]:
        """As the harness caches, but every answer is stored when its shard is done: a killed run resumes there."""
        constraint.tell(self.lm, requests)
        keys = [hash_args(kind, request.args) for request in requests]
        reusable = [not request.args[1].get("do_sample", False) for request in requests]
        answers = [self.dbdict.get(key) if fixed else None for key, fixed in zip(keys, reusable, strict=True)]
        open_ = [number for number, answer in enumerate(answers) if answer is None]
        log.info("%s requests: %d in the cache, %d to ask", _WORDS[kind], len(requests) - len(open_), len(open_))

        def store(place: int, answer: str) -> None:
            number = open_[place]
            answers[number] = answer
            if reusable[number] and not isinstance(answer, FailedGeneration):
                self.dbdict[keys[number]] = answer

        if open_:
            asked = [requests[number] for number in open_]
            if getattr(type(self.lm), kind) is _generate:
                _ask(self.lm, asked, store)
            else:  # a model that brings its own method, as our baselines do
                for place, answer in enumerate(getattr(self.lm, kind)(asked)):
                    store(place, _held(answer, asked[place]))
            self.dbdict.commit()
        return answers

    return generate_cached


def _ask(lm: LM, requests: list[Instance], on_answer: Callable[[int, str], None]) -> None:
    failed: list[str] = []
    sent = [place for place, request in enumerate(requests) if constraint.of(request).get("state") != "skipped"]

    def watch(number: int, answer: str) -> None:
        place = sent[number]
        if isinstance(answer, FailedGeneration):
            task, doc_id, _ = requests[place].metadata
            failed.append(f"{task}/{doc_id}: {answer.reason}")
        on_answer(place, _held(answer, requests[place]))

    for place in sorted(set(range(len(requests))) - set(sent)):
        on_answer(place, _held(Skipped(), requests[place]))
    if not sent:
        return
    with _without_partial_cache(lm):
        engine = chat_server if chat_server.serves(lm) else local_engine
        engine.ask(lm, [requests[place] for place in sent], watch)
    if len(failed) == len(sent):
        log.error("every request failed: check base_url, model name and key; the scores are those of no answer")
    if failed:
        log.error(
            "%d of %d requests failed and count as invalid answers (metric request_failed): %s%s",
            len(failed),
            len(sent),
            "; ".join(failed[:5]),
            f"; and {len(failed) - 5} more" if len(failed) > 5 else "",
        )


def _held(answer: str, request: Instance) -> str:
    """Return the answer with what its request said of a schema: ranks, caches and equal ids cannot part the two."""
    part = constraint.of(request)
    if not part:
        return answer
    noted = answer if isinstance(answer, Answer) else Answer(answer)
    noted.constraint = {key: (noted.constraint or part)[key] for key in constraint.TOLD}
    return noted


@contextmanager
def _without_partial_cache(lm: LM) -> Iterator[None]:
    """The backends store half-finished work under keys without the picture, which nobody can look up."""
    hook: Any = lm.cache_hook
    lm.set_cache_hook(CacheHook(None))
    try:
        yield
    finally:
        lm.set_cache_hook(hook)
