"""Intervals for what was counted."""

from math import sqrt

CONFIDENCE = 0.95
"""How often intervals that are made this way hold the true value."""

_Z = 1.9599639845400536  # the normal quantile of (1 + CONFIDENCE) / 2, without `statistics`, slow to import


def wilson(hits: int, trials: int) -> tuple[float, float]:
    """Return Wilson's score interval for a probability.

    Args:
        hits: how often it came out.
        trials: of how many, at least 1.

    Source: E. B. Wilson, Probable inference, the law of succession, and statistical inference, JASA 22 (1927) 209–212.

    >>> low, high = wilson(126, 1000)
    >>> f"{low:.4f} to {high:.4f}"
    '0.1069 to 0.1480'
    """
    rate, share = hits / trials, _Z * _Z / trials
    middle = rate + share / 2
    reach = sqrt(share * (rate * (1 - rate) + share / 4))
    low, high = (middle - reach) / (1 + share), (middle + reach) / (1 + share)
    return low if hits else 0.0, high if hits < trials else 1.0  # the ends as they are, not as they are rounded


def paired_difference(first_only: int, second_only: int, trials: int) -> tuple[float, float]:
    """Return an interval for how much likelier the first of two outcomes is than the second, tried on the same deals.

    It is Wald's interval after one deal is added to each way to differ (Laplace's adjustment), which holds its
    confidence for few differences, too, and for none.

    Args:
        first_only: deals on which only the first came out.
        second_only: deals on which only the second did.
        trials: all deals.

    Source: D. G. Bonett, R. M. Price, Adjusted Wald confidence interval for a difference of binomial proportions based
    on paired data, Journal of Educational and Behavioral Statistics 37 (2012) 479–488.

    >>> low, high = paired_difference(1, 7, 21)
    >>> f"{low:.3f} to {high:.3f}"
    '-0.508 to -0.013'
    """
    first, second = (first_only + 1) / (trials + 2), (second_only + 1) / (trials + 2)
    reach = _Z * sqrt((first + second - (first - second) ** 2) / (trials + 2))
    return max(-1.0, first - second - reach), min(1.0, first - second + reach)
