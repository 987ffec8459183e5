"""Progress of long calls: the argument `progress` of the functions that take one."""


class _Callback:
    """Calls the caller's function."""

    def __init__(self, function):
        self._function = function

    def __call__(self, done, total):
        self._function(done, total)

    def close(self):
        pass


class _Bar:
    """A bar of tqdm, in the terminal or in a notebook."""

    def __init__(self, unit):
        try:
            from tqdm.auto import tqdm  # type: ignore[import-untyped]
        except ImportError:
            raise ImportError("progress=True needs tqdm: pip install tqdm, or pass a function of (done, total)") from None
        self._bar = tqdm(unit=f" {unit}")

    def __call__(self, done, total):
        self._bar.total = total
        self._bar.update(done - self._bar.n)

    def close(self):
        self._bar.close()


def reporter(progress, unit):
    """The object that a long call reports to, or None."""
    if progress is None or progress is False:
        return None
    if progress is True:
        return _Bar(unit)
    if callable(progress):
        return _Callback(progress)
    raise TypeError(f"progress: found {progress!r}, expected None, True or a function of (done, total)")
