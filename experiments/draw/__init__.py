"""From kept simulations to figures and verdicts."""
