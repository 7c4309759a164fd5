"""Many games at once: arrays, Arrow batches, files, a cluster."""
