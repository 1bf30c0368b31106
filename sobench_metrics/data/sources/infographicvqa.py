"""InfographicVQA: infographics from the web, in the hub repository lmms-lab/DocVQA, config InfographicVQA.

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
    name="infographicvqa",
    domain="document",
    title="InfographicVQA",
    home="https://www.docvqa.org/datasets/infographicvqa",
    licence=Licence(
        name="Apache-2.0",
        url="https://huggingface.co/datasets/lmms-lab/DocVQA",
        note="the mirror's tag; the infographics were collected from the web and stay with their owners",
    ),
    plan=partial(plan_questions, QuestionRows(HubPlace("infographicvqa", "lmms-lab/DocVQA", "InfographicVQA/"))),
)
