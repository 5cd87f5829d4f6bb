"""Settings for all tests: generated examples are the same in every run unless asked otherwise."""

import os
import signal

from hypothesis import settings

settings.register_profile("same", derandomize=True, deadline=None, database=None)
settings.register_profile("explore", deadline=None)
settings.register_profile("soak", deadline=None, max_examples=2_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))

# A shell that starts tests in the background has them ignore interrupts, and so would the
# programs that they interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)
