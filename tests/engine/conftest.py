"""How the laws of this room are tried: alike in every run, and by no deadline, which measures the machine."""

from hypothesis import HealthCheck, settings

patient = [HealthCheck.too_slow]
settings.register_profile("engine", deadline=None, derandomize=True, max_examples=60, suppress_health_check=patient)
settings.load_profile("engine")
