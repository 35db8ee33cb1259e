"""A release: archives of the commit that is checked out, the same byte for byte wherever made."""
