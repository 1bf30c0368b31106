"""`sobench push`: a private copy of the prepared set for one's own team."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from sobench_metrics.cli.command import Command
from sobench_metrics.cli.extras import need
from sobench_metrics.cli.verify import progress, set_argument
from sobench_metrics.data.plain_words import counted
from sobench_metrics.data.prepared_sets import chosen_set, read_manifest
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    import argparse

__all__ = ["PUSH"]

_RIGHT = "--i-have-the-right-to-publish-all-of-these"


def _run(args: argparse.Namespace) -> int:
    need("push", "huggingface_hub", "pyarrow", "PIL", "tqdm", "filelock")
    from sobench_metrics.data.push import check_repo_id, licences, push, token

    check_repo_id(args.repo_id)
    _check_visibility(args)
    root = chosen_set(args.chosen)
    manifest = read_manifest(root)
    token()
    print(f"set {manifest.prep_id} in {root}, under these terms:")
    for line in licences(manifest):
        print(f"    {line}")
    sys.stdout.flush()
    done = push(root, args.repo_id, public=args.public, allow_partial=args.allow_partial, seen=progress())
    print(
        f"{counted(done.files, 'file')} sent to {done.url} at {done.commit} ({'PUBLIC' if args.public else 'private'})."
    )
    print("Whoever may read it loads it with")
    print(f"    hf download --repo-type dataset {args.repo_id} --revision {done.commit} --local-dir DIR")
    print("    SOBENCH_HOME=DIR sobench verify")
    return 0


def _check_visibility(args: argparse.Namespace) -> None:
    if args.private and args.public:
        raise UsageError("--private and --public exclude each other: say --private.")
    if not args.private and not args.public:
        raise UsageError("say --private: the terms of labels and images allow a copy for your own team at most.")
    if args.public and not args.right_to_publish:
        raise UsageError(
            f"--public publishes what the terms of labels and images do not allow: say --private, or add {_RIGHT}."
        )


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("repo_id", metavar="OWNER/NAME", help="a data set repository of the hub; made when absent")
    set_argument(parser)
    parser.add_argument("--private", action="store_true", help="only you and your organisation can read it")
    parser.add_argument("--allow-partial", action="store_true", help="send a set that lacks samples")
    parser.add_argument("--public", action="store_true", help=f"everybody can read it; needs {_RIGHT}")
    parser.add_argument(_RIGHT, dest="right_to_publish", action="store_true", help="only with --public")


PUSH = Command("upload the prepared set to a private repository for your team", _run, _arguments)
