"""Benchmarks of noughts; `script/bench` runs them and writes docs/performance.md."""
