"""The one family of errors: everything the package raises on purpose is a `PernoError`."""


class PernoError(ValueError):
    """Something given to the package is wrong; the message says what, where, and what was expected."""


class InvalidCard(PernoError):
    """A text is not a card."""


class InvalidDeal(PernoError):
    """A deck is not 52 different cards, or a seed is out of range."""


class InvalidRules(PernoError):
    """A field of the rules is unknown or out of range."""


class InvalidMove(PernoError):
    """A text is not a move."""


class InvalidState(PernoError):
    """A position is incomplete, contradicts itself or cannot occur under its rules."""


class IllegalMove(PernoError):
    """A move is well formed but not legal in the state it is played in."""


class BadEvidence(PernoError):
    """A piece of evidence is damaged, or does not prove what it claims."""


class TooLarge(PernoError):
    """A file is larger than what is to be read of it, which says nothing about what is in it."""


class InvalidChoice(PernoError):
    """A keyword names none of its choices, or is something else altogether."""


class InvalidBudget(PernoError):
    """A limit on a search is not a positive number."""


class InvalidJson(PernoError):
    """A text is not JSON, or not that of the value asked for; the message says where in it."""


class InvalidRecord(PernoError):
    """A text is not the record of a game."""
