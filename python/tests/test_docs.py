"""The docstrings: their examples are right, and nothing public lacks one."""

import doctest

import assay


def test_examples():
    tests = doctest.DocTestFinder().find(assay, "assay", globs={"assay": assay})
    examples = [test for test in tests if test.examples]
    assert {"assay", "assay.Game", "assay.Position"} <= {test.name for test in examples}
    for test in examples:
        assert doctest.DocTestRunner().run(test).failed == 0, test.name


def test_everything_public_has_a_docstring():
    for name in assay.__all__:
        public = getattr(assay, name)
        assert public.__doc__, name
        for member, value in vars(public).items() if isinstance(public, type) else []:
            assert member.startswith("_") or value.__doc__, f"{name}.{member}"


def test_collections_are_constant():
    assert isinstance(assay.GAMES, tuple)
