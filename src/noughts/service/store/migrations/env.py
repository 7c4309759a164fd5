"""Runs the steps on the connection that `noughts.service.store.store.migrate` gives."""

from alembic import context

from noughts.service.store.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=True,
)
context.run_migrations()
