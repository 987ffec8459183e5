"""The example notebooks run, and give what is stored in them."""

import pytest
from conftest import ROOT

NOTEBOOKS = sorted((ROOT / "python/examples").glob("*.ipynb"))


def outputs(notebook):
    """For each cell, the kinds of its outputs, and their texts. No text has times or speeds."""
    found = []
    for cell in notebook.cells:
        data = [output.get("data", {}) for output in cell.get("outputs", [])]
        texts = [output.get("text") or output.get("data", {}).get("text/plain") for output in cell.get("outputs", [])]
        found.append((set().union(*data), texts))
    return found


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_gives_what_is_stored(path):
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    for package in ["ipykernel", "matplotlib", "polars"]:
        pytest.importorskip(package)
    stored = nbformat.read(path, as_version=4)
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": path.parent}}).execute()
    assert outputs(notebook) == outputs(stored)
