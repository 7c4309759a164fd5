"""Programs that measure or train, and are not shipped."""
