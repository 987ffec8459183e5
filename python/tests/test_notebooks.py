"""The example notebooks run."""

import pytest
from conftest import ROOT

NOTEBOOKS = sorted((ROOT / "python/examples").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs(path):
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    for package in ["ipykernel", "matplotlib", "polars"]:
        pytest.importorskip(package)
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": path.parent}}).execute()
    # The stored pictures are those of this notebook.
    kinds = [set().union(*(output.get("data", {}) for output in cell.get("outputs", []))) for cell in notebook.cells]
    stored = nbformat.read(path, as_version=4)
    assert kinds == [
        set().union(*(output.get("data", {}) for output in cell.get("outputs", []))) for cell in stored.cells
    ]
