"""What every part of Laager shares: problems that people can read, and data files."""

from laager.base.problems import (
    DataError,
    DoubtInWords,
    LaagerError,
    OtherEnd,
    Problem,
    Refusal,
    RefusedError,
    WrongValueError,
    did_you_mean,
    find_named,
    read_all,
    read_each,
)

__all__ = [
    "DataError",
    "DoubtInWords",
    "LaagerError",
    "OtherEnd",
    "Problem",
    "Refusal",
    "RefusedError",
    "WrongValueError",
    "did_you_mean",
    "find_named",
    "read_all",
    "read_each",
]  # fmt: skip
