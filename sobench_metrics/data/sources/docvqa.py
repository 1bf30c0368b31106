"""DocVQA: scanned pages of industry documents, in the hub repository lmms-lab/DocVQA, config DocVQA.

Labels name `images/<question id>.jpg`: upstream walks the test split, skips an image that it has seen, and names each
new one by the question that came with it; `datasets` turns it upright by EXIF first. The hub tags the mirror
Apache-2.0, which says nothing of the pictures' own owners.
"""

from functools import partial

from sobench_metrics.data.sources.hub_repo import HubPlace
from sobench_metrics.data.sources.question_rows import QuestionRows, plan_questions
from sobench_metrics.data.sources.source import Licence, Source

__all__ = ["SOURCE"]

SOURCE = Source(
    name="docvqa",
    domain="document",
    title="DocVQA",
    home="https://www.docvqa.org/datasets/docvqa",
    licence=Licence(
        name="Apache-2.0",
        url="https://huggingface.co/datasets/lmms-lab/DocVQA",
        note="the mirror's tag; the pages come from the UCSF Industry Documents Library, whose own terms apply",
    ),
    plan=partial(plan_questions, QuestionRows(HubPlace("docvqa", "lmms-lab/DocVQA", "DocVQA/"))),
)
