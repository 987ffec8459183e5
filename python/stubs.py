"""Writes the docstrings of the installed module into its stubs, so that the documentation is written once, in Rust.

python stubs.py
"""

import ast
import inspect
from pathlib import Path
from textwrap import indent

import assay

STUBS = Path(__file__).parent / "package/assay/__init__.pyi"


def with_docstrings(stubs: str) -> str:
    """Returns the stubs with the docstrings that `help` prints."""
    lines = stubs.splitlines()
    # From the end, so that the numbers of the lines before stay the same.
    for node, documented in reversed(list(definitions(ast.parse(stubs).body, assay))):
        doc = inspect.getdoc(documented)
        if doc is None or node.name.startswith("__"):
            continue
        first = node.body[0]
        is_ellipsis = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and first.value.value is ...
        is_doc = ast.get_docstring(node) is not None
        head = lines[first.lineno - 1][: first.col_offset].rstrip() if is_ellipsis else None
        end_of_line = "\n" if "\n" in doc else ""
        text = indent(f'"""{doc}{end_of_line}"""', " " * (node.col_offset + 4)).splitlines()
        end = first.end_lineno if is_ellipsis or is_doc else first.lineno - 1
        lines[first.lineno - 1 : end] = ([head] if head else []) + text
    return "\n".join(lines) + "\n"


def definitions(body: list[ast.stmt], owner: object):
    """Yields classes, methods, properties and functions with what they are in the module, in the order of the stubs."""
    for node in body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and hasattr(owner, node.name):
            documented = getattr(owner, node.name)
            yield node, documented
            if isinstance(node, ast.ClassDef):
                yield from definitions(node.body, documented)


if __name__ == "__main__":
    STUBS.write_text(with_docstrings(STUBS.read_text()))
