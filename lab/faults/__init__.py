"""Faults on purpose: servers, databases and networks fail under load, and a checker judges."""
