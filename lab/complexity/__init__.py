"""How often `noughts check` names the complexity of a solution rightly, on a busy machine."""
