"""Fault injection: servers, databases and networks fail under load, and a checker judges."""
