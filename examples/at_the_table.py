"""Advise a player at a real table, where the pivot and the stock lie face-down: `?` is a card that nobody has seen."""

from perno_solver import hint

advice = hint("""
    rules: perno
    base: 6
    foundations: AD 5H 6S
    tableau: 5C 7C 2H 7H TH JH 3S JS
    pivot: 6?
    stock: 10?
    waste: 7D KD KC 3H 9D 8S QH QC 7S AC 8H 2S 4S QS 2C 9H 8C 8D 5S
    redeals: 2
""", worlds=200)  # fmt: skip
for move, share in advice.moves:
    print(f"{move}: can be won in {share.won} of {share.worlds} ways to lay the {advice.odds.view.places} unseen cards")
print(f"Play {advice.best}: {advice.reason}.")
