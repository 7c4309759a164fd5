"""One Hypothesis profile for all tests: what counts is the result, not how fast it came."""

from hypothesis import HealthCheck, settings

settings.register_profile("noughts", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("noughts")
