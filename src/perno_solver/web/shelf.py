"""Python's side of the worker in the browser: answers about games that the browser keeps in its own storage.

The worker puts the records that a message is about on the shelf, and afterwards stores what has changed there.
"""

import json
from collections import UserDict
from collections.abc import Iterator

from perno_solver.web.advice import PLAIN
from perno_solver.web.answer import answer


class Shelf(UserDict[str, str]):
    """The records of games by their names, which remembers what has changed."""

    def __init__(self) -> None:
        super().__init__()
        self._changed: set[str] = set()

    def __setitem__(self, name: str, text: str) -> None:
        """Keep a record."""
        self.data[name] = text
        self._changed.add(name)

    def __delitem__(self, name: str) -> None:
        """Delete a record."""
        del self.data[name]
        self._changed.add(name)

    def put(self, records: str) -> None:
        """Take what the browser keeps: an object in JSON, with null for what it does not keep any more."""
        for name, text in json.loads(records).items():
            self.data.pop(name, None)
            if text is not None:
                self.data[name] = text

    def changes(self) -> str:
        """Return what has changed since the last time, as `put` takes it."""
        changed, self._changed = self._changed, set()
        return json.dumps({name: self.data.get(name) for name in sorted(changed)})

    def answers(self, message: str) -> Iterator[str]:
        """Answer a message of the page."""
        return answer(message, self, PLAIN)
