"""The game as frozen values: cards, deals, rules, moves and positions, and nothing that searches."""
