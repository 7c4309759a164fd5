"""What is measured or trained, and not shipped."""
