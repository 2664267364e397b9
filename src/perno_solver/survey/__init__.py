"""Many deals: surveys by many workers, their store, their statistics and figures."""

from perno_solver.survey.run import (
    MOST_TRIES,
    Comparison,
    SurveyFailed,
    Totals,
    compare,
    deal_by_deal,
    seeds_with,
    survey,
)

__all__ = ["MOST_TRIES", "Comparison", "SurveyFailed", "Totals", "compare", "deal_by_deal", "seeds_with", "survey"]
