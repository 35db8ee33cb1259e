"""What `gridftp bench` measures, and how it prints the results."""
