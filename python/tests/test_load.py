"""`import assay` chooses between two native modules, if a wheel has both."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import assay
from assay import _assay

CODE = """
import pickle, assay
from assay import _assay
print(_assay.__file__)
assert assay.Position is _assay.Position
assert pickle.loads(pickle.dumps(assay.Position("chess"))).fen == assay.Position("chess").fen
"""


@pytest.mark.skipif(not _assay.HAS_X86_64_V3, reason="the processor lacks the instructions of x86-64-v3")
def test_the_module_for_this_processor_is_chosen(tmp_path):
    package = tmp_path / "assay"
    shutil.copytree(Path(assay.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__", "*.v3"))
    [native] = [*package.glob("_assay*.so"), *package.glob("_assay*.pyd")]

    def loaded():
        result = subprocess.run([sys.executable, "-c", CODE], cwd=tmp_path, capture_output=True, text=True, check=True)
        return Path(result.stdout.strip())

    assert loaded() == native
    shutil.copy(native, package / "_assay.v3")
    assert loaded() == package / "_assay.v3"
