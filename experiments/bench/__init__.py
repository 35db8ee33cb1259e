"""What `gridftp bench` measures, and how it is told."""
