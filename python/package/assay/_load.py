"""Chooses the native module: a wheel for x86-64 has one for any processor, and one for x86-64-v3 beside it."""

import sys
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from . import _assay

_FAST = Path(__file__).with_name("_assay.v3")

if _assay.HAS_X86_64_V3 and _FAST.exists():
    _name = _assay.__name__
    _loader = ExtensionFileLoader(_name, str(_FAST))
    _spec = spec_from_file_location(_name, _FAST, loader=_loader)
    assert _spec is not None  # With a loader, there is always one.
    _module = module_from_spec(_spec)
    _loader.exec_module(_module)
    sys.modules[_name] = _module
    setattr(sys.modules[__package__], "_assay", _module)
