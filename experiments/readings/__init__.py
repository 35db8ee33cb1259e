"""What was measured on a real host, and the host model's costs that follow from it."""
