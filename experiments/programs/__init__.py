"""The programs that simulate: where they are, what they are made of, starting them."""
