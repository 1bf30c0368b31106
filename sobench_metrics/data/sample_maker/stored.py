"""A drawn document as the row of a prepared set."""

import hashlib
import json
from io import BytesIO
from typing import Any

from sobench_metrics.data.pixels import pixel_sha256
from sobench_metrics.data.sample_maker.drawn import Drawn

__all__ = ["stored_row"]


def stored_row(doc_id: str, domain: str, source: str, drawn: Drawn, quality: int) -> dict[str, Any]:
    """Return the columns of a prepared set but `prep_id`; the picture is a JPEG of this quality."""
    stored = BytesIO()
    drawn.image.save(stored, "JPEG", quality=quality)
    content = stored.getvalue()
    return {
        "doc_id": doc_id,
        "domain": domain,
        "source": source,
        "image": {"bytes": content, "path": f"{doc_id}.jpg"},
        "image_sha256": hashlib.sha256(content).hexdigest(),
        "pixel_sha256": pixel_sha256(content),
        "width": drawn.image.width,
        "height": drawn.image.height,
        "schema_json": json.dumps(drawn.schema),
        "user_intent": drawn.user_intent,
        "target_json": json.dumps(drawn.target, ensure_ascii=False),
        "evaluation_labels_json": json.dumps(drawn.labels),
        "upstream_image_url": "",
    }
