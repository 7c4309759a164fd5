"""The steps that bring a database from an older version to this one."""
