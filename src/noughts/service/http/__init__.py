"""The HTTP interface: routes, requests, responses and middleware."""
