"""What noughts is measured by; `script/bench` runs it all and writes docs/performance.md."""
