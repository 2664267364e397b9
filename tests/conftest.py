"""How many examples the laws are held against: `--hypothesis-profile=thorough` for the long run."""

import signal

from hypothesis import HealthCheck, settings

settings.register_profile(
    "fast",
    max_examples=25,
    derandomize=True,  # the same examples from run to run
    database=None,
    deadline=None,  # a shared machine pauses when it likes
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
settings.register_profile("thorough", settings.get_profile("fast"), max_examples=1000, derandomize=False)
settings.load_profile("fast")

# Where a shell starts the tests in the background, Ctrl-C is ignored; those of Ctrl-C want it as it is elsewhere.
signal.signal(signal.SIGINT, signal.default_int_handler)
