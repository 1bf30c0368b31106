"""Images from one big compressed tar on a web site: read once from front to back, left as soon as all are found."""

from __future__ import annotations
