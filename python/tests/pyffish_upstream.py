"""Runs pyffish's own test file with Assay in the place of pyffish, for the games that both know.

    python pyffish_upstream.py path/to/Fairy-Stockfish/test.py

Each call about such a game is made to both modules, and their results must be equal; Assay's result goes on to the test. Calls about
other games go to pyffish alone. Prints the calls by game and every difference; exits with status 1 if there is one or a test fails.
"""

import collections
import runpy
import sys
import types
import unittest

import assay
import pyffish
from assay import pyffish as ours

VARIANT_IS_SECOND = ("validate_fen", "get_fog_fen")

calls = collections.Counter()
differences = []


def unordered(result):
    return sorted(result) if isinstance(result, list) and result and isinstance(result[0], str) else result


def compared(name):
    function = getattr(pyffish, name)

    def call(*arguments):
        expected = function(*arguments)
        variant = arguments[1 if name in VARIANT_IS_SECOND else 0] if arguments else None
        if variant not in known or True in arguments:
            return expected
        calls[variant, name] += 1
        try:
            found = getattr(ours, name)(*arguments)
        except ValueError as error:
            found = error
        # Without an end, pyffish's value is undefined.
        is_undefined = name.endswith("game_end") and not expected[0] and not found[0]
        is_list = name == "legal_moves"
        same = is_undefined or (unordered(found) == unordered(expected) if is_list else found == expected)
        if name == "validate_fen" and expected != pyffish.FEN_OK:
            same = found != ours.FEN_OK
        if not same:
            differences.append(f"{name}{arguments}: found {found!r}, expected {expected!r}")
        return expected if isinstance(found, Exception) else found

    return call


def main():
    proxy = types.ModuleType("pyffish")
    for name in dir(pyffish):
        attribute = getattr(pyffish, name)
        is_function = isinstance(attribute, types.BuiltinFunctionType)
        setattr(proxy, name, compared(name) if is_function and hasattr(ours, name) else attribute)
    proxy.variants = pyffish.variants
    proxy.info = pyffish.info
    proxy.load_variant_config = pyffish.load_variant_config
    sys.modules["pyffish"] = proxy
    namespace = runpy.run_path(sys.argv[1], run_name="pyffish_tests")
    tests = unittest.defaultTestLoader.loadTestsFromTestCase(namespace["TestPyffish"])
    result = unittest.TextTestRunner(verbosity=0).run(tests)
    for (variant, name), count in sorted(calls.items()):
        print(f"{variant:12} {name:28} {count:4} calls")
    print(*differences, sep="\n")
    print(f"{calls.total()} calls compared, {len(differences)} differences")
    return int(bool(differences) or not result.wasSuccessful())


known = set(assay.GAMES) & set(pyffish.variants())

if __name__ == "__main__":
    sys.exit(main())
