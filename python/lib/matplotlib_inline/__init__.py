"""How notebooks show figures: here as they are drawn."""
