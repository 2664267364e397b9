"""The rules as data: one frozen value that every layer reads, and the six readings that have names."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from attrs import Attribute, Factory, evolve, field, fields, frozen

from perno_solver.checks import Choice, require, shown
from perno_solver.errors import InvalidRules

CELLS = 8
"""Cells of the tableau: four left and four right of the pivot."""

REFORM_SIZE = 10
"""Stock cards that form the pivot again (source: «altre 10 carte … di 10 in 10»)."""

MOST_REDEALS = 1_000_000
"""Most redeals that rules can name; where more are wanted, unlimited says the same: every useful pass moves a card."""


class Reform(Choice):
    """When an exhausted pivot is formed again from the stock."""

    UP_TO_TEN = "up-to-ten"
    EXACTLY_TEN = "exactly-ten"
    NEVER = "never"


class Build(Choice):
    """The direction in which the foundations are built."""

    DOWN = "down"
    UP = "up"


class Place(Choice):
    """Where a card that may be packed, or may fill a cell, comes from."""

    WASTE = "waste"
    PIVOT = "pivot"
    TABLEAU = "tableau"


class Turning(Choice):
    """Whether turning and redealing are free, or barred while a card can go to a foundation."""

    FREE = "free"
    OBLIGED = "obliged"


def _frozen(places: Iterable["Place"]) -> frozenset["Place"]:
    try:
        found = frozenset([None] if _is_text(places) else places)
    except TypeError:
        found = frozenset([None])
    if not all(isinstance(place, Place) for place in found):
        raise InvalidRules(_expected("pack-from or fill-from", places, "a set of Place values"))
    return frozenset(place for place in found if place is not None)


def _is_text(value: object) -> bool:
    return isinstance(value, str | bytes)  # each an iterable, too


_T = TypeVar("_T")
_Validator = Callable[[object, "Attribute[Any]", _T], None]


def _between(low: int, high: int) -> _Validator[int]:
    wanted = f"a whole number from {low} to {high}"

    def check(_rules: object, attribute: "Attribute[Any]", value: int) -> None:
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise InvalidRules(_expected(_key(attribute), value, wanted))

    return check


def _check_redeals(rules: object, attribute: "Attribute[Any]", value: int | None) -> None:
    if value is not None:
        _between(0, MOST_REDEALS)(rules, attribute, value)


def _one_of(kind: type) -> _Validator[_T]:
    def check(_rules: object, attribute: "Attribute[Any]", value: _T) -> None:
        if not isinstance(value, kind):
            raise InvalidRules(_expected(_key(attribute), value, f"a {kind.__name__}"))

    return check


def _expected(key: str, value: object, wanted: str) -> str:
    return f"rules: {key} is {shown(value)}, expected {wanted}"


def _key(attribute: "Attribute[Any]") -> str:
    return str(attribute.name).replace("_", "-")


@frozen(repr=False)
class Rules:
    """The rules of one game of the family; the defaults are the source as it stands.

    Args:
        pivot_size: cards counted into the first pivot, 1–30.
        reform: when an exhausted pivot is formed again.
        pivot_open: the pivot's top card is always playable, not only its last.
        redeals: how often the waste becomes the stock again; None is unlimited.
        build: the direction of the foundations.
        pack_from: the places whose card may be packed; empty is no packing.
        pack_limit: most cards in a cell, 1–13 (default 13 where something packs, else 1).
        fill_from: the places whose card may take an empty cell once the pivot is empty: the waste, or waste
            and tableau.
        turning: free or obliged.

    Raises:
        InvalidRules: a field is out of range; any combination of fields in range is legal.

    >>> Rules(redeals=3)
    Rules.from_text('perno,redeals=3')
    """

    pivot_size: int = field(default=10, validator=_between(1, 30))
    reform: Reform = field(default=Reform.UP_TO_TEN, validator=_one_of(Reform))
    pivot_open: bool = field(default=False, validator=_one_of(bool))
    redeals: int | None = field(default=2, validator=_check_redeals)
    build: Build = field(default=Build.DOWN, validator=_one_of(Build))
    pack_from: frozenset[Place] = field(default=frozenset(), converter=_frozen)
    pack_limit: int = field(
        default=Factory(lambda rules: 13 if rules.pack_from else 1, takes_self=True), validator=_between(1, 13)
    )
    fill_from: frozenset[Place] = field(default=frozenset({Place.WASTE}), converter=_frozen)
    turning: Turning = field(default=Turning.FREE, validator=_one_of(Turning))

    def __attrs_post_init__(self) -> None:
        """Check the one field whose values are not independent."""
        if Place.WASTE not in self.fill_from or Place.PIVOT in self.fill_from:
            raise InvalidRules(_expected("fill-from", _spell(self.fill_from), "waste or waste+tableau"))

    @classmethod
    def from_text(cls, text: str) -> "Rules":
        """Read rules: a reading's name, then what differs from it, as in `perno,redeals=3,pack-from=waste+pivot`.

        Args:
            text: comma-separated; the fields are those of the class with `-` for `_`, the values those of the enums,
                `yes` and `no`, numbers, `unlimited` and `none`. Without a name the fields differ from `perno`.

        Raises:
            InvalidRules: a name, a field or a value is unknown, or a field is there twice.
        """
        require(text, str, InvalidRules, "rules as text, as in perno,redeals=3")
        first, *rest = [part.strip() for part in text.lower().split(",")]
        base = READINGS.get(first)
        if base is None:
            if "=" not in first:
                msg = f"{shown(first)} is not a reading: expected one of {', '.join(READINGS)}, or field=value"
                raise InvalidRules(msg)
            base, rest = PERNO, [first, *rest]
        changes: dict[str, Any] = {}
        for part in rest:
            key, _, value = (word.strip() for word in part.partition("="))
            if key not in _PARSERS:
                msg = f"{shown(part)} is not a rule: expected field=value with a field of {', '.join(_PARSERS)}"
                raise InvalidRules(msg)
            if key.replace("-", "_") in changes:
                msg = f"rules: {key} is given twice"
                raise InvalidRules(msg)
            changes[key.replace("-", "_")] = _PARSERS[key](key, value)
        if "pack_from" in changes and "pack_limit" not in changes and not base.pack_from:
            changes["pack_limit"] = 13 if changes["pack_from"] else 1
        return evolve(base, **changes)

    def __str__(self) -> str:
        """Return the shortest text that `from_text` reads: a reading's name, and what differs from it.

        >>> str(Rules.from_text("perno,turning=obliged,redeals=3"))
        'perno-obliged,redeals=3'
        """
        return min((self._beside(name) for name in READINGS), key=len)

    def __format__(self, spec: str) -> str:
        """Format the rules' text, as in `f"{rules:<20}"`."""
        return format(str(self), spec)

    def __repr__(self) -> str:
        """Return the expression that rebuilds the rules."""
        return f"Rules.from_text('{self}')"

    def spelled(self) -> list[tuple[str, str]]:
        """List every field with its value, as text, in the class's order."""
        return [(_key(attribute), _spell(getattr(self, attribute.name))) for attribute in fields(Rules)]

    def _beside(self, name: str) -> str:
        """Write the rules as a reading's name and what differs from it."""
        base = READINGS[name]
        usual = dict(base.spelled())
        if self.pack_from and not base.pack_from:
            usual["pack-limit"] = "13"  # which is what `from_text` fills in
        return ",".join([name, *(f"{key}={value}" for key, value in self.spelled() if value != usual[key])])

    @property
    def packs(self) -> bool:
        """Whether any card can ever be packed."""
        return bool(self.pack_from) and self.pack_limit > 1


def as_rules(rules: Rules | str) -> Rules:
    """Take rules, or their text.

    Raises:
        InvalidRules: it is neither.
    """
    return rules if isinstance(rules, Rules) else Rules.from_text(rules)


def _spell(value: object) -> str:
    if isinstance(value, frozenset):
        return "+".join(place.value for place in Place if place in value) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Choice):
        return str(value.value)
    return "unlimited" if value is None else str(value)


def _number(key: str, text: str) -> int | None:
    if text == "unlimited" and key == "redeals":
        return None
    if not (text.isascii() and text.isdecimal()) or len(text) > 7:  # the most digits that any field can use
        raise InvalidRules(_expected(key, text, "a whole number" + " or unlimited" * (key == "redeals")))
    return int(text)


def _choice(values: dict[str, _T]) -> Callable[[str, str], _T]:
    def parse(key: str, text: str) -> _T:
        if text not in values:
            raise InvalidRules(_expected(key, text, f"one of {', '.join(values)}"))
        return values[text]

    return parse


def _places(key: str, text: str) -> frozenset[Place]:
    parse = _choice({place.value: place for place in Place})
    return frozenset() if text == "none" else frozenset(parse(key, part) for part in text.split("+"))


_PARSERS: dict[str, Callable[[str, str], Any]] = {
    "pivot-size": _number,
    "reform": _choice({reform.value: reform for reform in Reform}),
    "pivot-open": _choice({"yes": True, "no": False}),
    "redeals": _number,
    "build": _choice({build.value: build for build in Build}),
    "pack-from": _places,
    "pack-limit": _number,
    "fill-from": _places,
    "turning": _choice({turning.value: turning for turning in Turning}),
}

PERNO = Rules()
"""The source as it stands."""

_EAGLE_WING = Rules(pivot_size=13, reform=Reform.NEVER, build=Build.UP)

READINGS: dict[str, Rules] = {
    "perno": PERNO,
    "perno-tens": Rules(reform=Reform.EXACTLY_TEN),
    "perno-obliged": Rules(turning=Turning.OBLIGED),
    "perno-packed": Rules(pack_from=frozenset({Place.WASTE})),
    "eagle-wing": _EAGLE_WING,
    "eagle-wing-packed": evolve(
        _EAGLE_WING,
        pack_from=frozenset(Place),
        pack_limit=3,
        fill_from=frozenset({Place.WASTE, Place.TABLEAU}),
    ),
}
"""The readings that have names, in the order in which every listing shows them."""
