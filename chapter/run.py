"""Runs the chapter's blocks and keeps the printed output under them true.

    python -m chapter.run               # prints every block whose output differs from the page; exit status 1 if any
    python -m chapter.run --update      # writes what the blocks print into the pages
    python -m chapter.run --json        # prints all outputs as JSON, for the tests
    python -m chapter.run --update zh/03-loop.md ...    # some pages only

How it works: torch is imported and warmed up once; then every chain of blocks (one that starts afresh and those that
continue it) runs in a forked child of that process, so no block sees a random stream, a flag or a name that another
block left behind. One thread only, set before torch is imported: a parent that used two would hang its children.
Warnings are errors, so that a page never shows code which torch already warns about.
"""

from __future__ import annotations

import os

os.environ.update(OMP_NUM_THREADS="1", MKL_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")

import argparse
import contextlib
import io
import json
import sys
import tempfile
import traceback
import warnings
from pathlib import Path

from chapter.read import LANGUAGES, ROOT, Block, Section, read, section_names


def warm_up() -> None:
    """Pays for the slow first times (torch, the first optimizer) before anything is forked."""
    import numpy  # noqa: F401  - imported for the children
    import torch

    torch.set_num_threads(1)
    weight = torch.nn.Parameter(torch.ones(1))
    (weight * weight).sum().backward()
    torch.optim.Adam([weight]).step()


def run_chain(chain: list[Block]) -> list[str]:
    """What each block of a chain prints, run in a forked child in an empty folder."""
    with tempfile.TemporaryDirectory() as folder:
        results = Path(folder) / "results.json"
        child = os.fork()
        if child == 0:
            try:
                work = Path(folder) / "work"
                work.mkdir()
                os.chdir(work)
                results.write_text(json.dumps(_run_here(chain)), encoding="utf-8")
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        if not results.exists():
            raise RuntimeError(f"the blocks from line {chain[0].line + 1} on ended without a result")
        outputs: list[str] = json.loads(results.read_text(encoding="utf-8"))
    return outputs


def _run_here(chain: list[Block]) -> list[str]:
    names: dict[str, object] = {"__name__": "__main__"}
    outputs = []
    for block in chain:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                exec(compile(block.code, f"line {block.line + 1}", "exec"), names)  # noqa: S102 - our own text
            except Exception:
                printed.write(traceback.format_exc())
        outputs.append(printed.getvalue())
    return outputs


def run_section(section: Section) -> list[str]:
    return [output for chain in section.chains() for output in run_chain(chain)]


def with_outputs(text: str, section: Section, outputs: list[str]) -> str:
    """The page's text with new outputs; from the last to the first, so that line numbers stay true."""
    lines = text.splitlines(keepends=True)
    for block, output in reversed(list(zip(section.blocks, outputs, strict=True))):
        first, last = block.output_span
        lines[first:last] = output.splitlines(keepends=True)
    return "".join(lines)


def main() -> int:
    arguments = argparse.ArgumentParser(description="Run the chapter's blocks.")
    arguments.add_argument("--update", action="store_true", help="write the outputs into the pages")
    arguments.add_argument("--json", action="store_true", help="print all outputs as JSON")
    arguments.add_argument("pages", nargs="*", help="such as en/03-loop.md; all when none is given")
    options = arguments.parse_args()
    pages = options.pages or [f"{lang}/{name}" for lang in LANGUAGES for name in section_names(lang)]
    warm_up()
    all_outputs = {}
    differing = 0
    for page in pages:
        lang, name = page.split("/")
        section = read(lang, name)
        outputs = all_outputs[page] = run_section(section)
        for block, output in zip(section.blocks, outputs, strict=True):
            if output != block.output:
                differing += 1
                if not options.json:
                    print(f"--- {page}:{block.line + 1}\n{output}", end="")
        if options.update:
            path = ROOT / lang / name
            text = path.read_text(encoding="utf-8")
            path.write_text(with_outputs(text, section, outputs), encoding="utf-8")
    if options.json:
        json.dump(all_outputs, sys.stdout)
    return 0 if options.update or options.json else min(differing, 1)


if __name__ == "__main__":
    sys.exit(main())
