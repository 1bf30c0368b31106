"""`sobench enable` and `disable`: the plain `lm_eval --tasks sobench_ui,ifstruct` in this environment.

One `.pth` file of one line, written on request and removed on request. It names no path, so regular and editable
installs work alike; without this package (uninstalled, or another interpreter) the line does nothing.
"""

from __future__ import annotations

import os
import site
import sys
import sysconfig
from pathlib import Path
from typing import TYPE_CHECKING

from sobench_metrics.cli.command import Command
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    import argparse

__all__ = ["DISABLE", "ENABLE", "pth_file"]

# sorted behind the .pth files of editable installs, whose paths it needs
_NAME = "zz_sobench_enable.pth"
_LINE = (
    "import importlib.util as _u; _u.find_spec('lm_eval_tasks') is not None and "
    "__import__('lm_eval_tasks.autoload', fromlist=['watch']).watch()\n"
)


def pth_file() -> Path:
    """Return where the line stands, or would stand: this interpreter's own site-packages."""
    purelib = Path(sysconfig.get_paths()["purelib"])
    if os.access(purelib, os.W_OK) or (purelib / _NAME).exists():
        return purelib / _NAME
    user = Path(site.getusersitepackages())
    return (user if site.ENABLE_USER_SITE else purelib) / _NAME  # a virtual environment never reads the user's


def _enable(_args: argparse.Namespace) -> int:
    file = pth_file()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        draft = file.with_suffix(".tmp")
        draft.write_text(_LINE, encoding="utf-8")
        draft.replace(file)
    except OSError as error:
        raise UsageError(
            f'cannot write {file} ({error.strerror}): use `sobench lm-eval`, or --include_path "$(sobench tasks-dir)".'
        ) from error
    print(f"enabled: `lm_eval --tasks sobench_ui,ifstruct` now finds the tasks in {sys.prefix}")
    print(f"({file}; undo with `sobench disable`, switch off for one run with SOBENCH_AUTOLOAD=0)")
    return 0


def _disable(_args: argparse.Namespace) -> int:
    file = pth_file()
    if not file.exists():
        print("not enabled: nothing to undo")
        return 0
    try:
        file.unlink()
    except OSError as error:
        raise UsageError(f"cannot remove {file} ({error.strerror}): remove it by hand.") from error
    print(f"disabled: removed {file}")
    return 0


ENABLE = Command("let plain lm_eval find our tasks in this environment", _enable)
DISABLE = Command("undo `enable`", _disable)
