"""Teaches the reference what the source means: constructors that attrs writes, choices, strategies, and doctests."""

import re

from griffe import Class, Extension, Function, Kind, Object, Parameter, ParameterKind, Parameters

EXAMPLE = re.compile(r"^>>> .*\n(?:.+\n?)*", re.MULTILINE)  # up to a blank line


class Api(Extension):
    """Changes objects as they are read from the source."""

    def on_object(self, *, obj: Object, **_context: object) -> None:
        """Put doctests in fences, which Markdown would take for quotes."""
        if obj.docstring is not None:
            text = EXAMPLE.sub(lambda example: f"```pycon\n{example[0].rstrip()}\n```\n", obj.docstring.value + "\n")
            obj.docstring.value = text.rstrip()

    def on_function(self, *, func: Function, **_context: object) -> None:
        """Leave out what hypothesis gives to a composite strategy."""
        if any(str(decorator.value).endswith("composite") for decorator in func.decorators):
            func.parameters = Parameters(*list(func.parameters)[1:])

    def on_class(self, *, cls: Class, **_context: object) -> None:
        """Write the constructor that attrs will, an argument for each field; list what there is to choose from."""
        if any(re.match(r"(frozen|define)\b", str(decorator.value)) for decorator in cls.decorators):
            fields = [_argument(member) for member in cls.members.values() if _is_field(member)]
            arguments = Parameters(Parameter("self", kind=ParameterKind.positional_or_keyword), *fields)
            cls.set_member("__init__", Function("__init__", parameters=arguments, returns="None", parent=cls))
        if cls.docstring is not None and str(next(iter(cls.bases), "")) in {"Choice", "IntEnum"}:
            members = [member for member in cls.members.values() if member.kind is Kind.ATTRIBUTE and member.value]
            cls.docstring.value += "\n\n" + "\n".join(f"- `{member.name}` = `{member.value}`" for member in members)


def _is_field(member: Object) -> bool:
    return (
        member.kind is Kind.ATTRIBUTE
        and member.annotation is not None
        and "property" not in member.labels
        and "init=False" not in str(member.value)
    )


def _argument(member: Object) -> Parameter:
    value = str(member.value or "")
    default = re.search(r"\bdefault=((?:[^,()]|\([^()]*\))+)", value)[1] if "default=" in value else None
    return Parameter(
        member.name.lstrip("_"),
        annotation=member.annotation,
        kind=ParameterKind.keyword_only if "kw_only=True" in value else ParameterKind.positional_or_keyword,
        default=default if value.startswith("field(") else member.value,
    )
