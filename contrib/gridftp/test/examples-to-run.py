#! /usr/bin/env python3

"""Examples that ns-3's test.py runs; it reads the two lists below as text."""

# A list of C++ examples to run in order to ensure that they remain
# buildable and runnable over time.  Each tuple in the list contains
#
#     (example_name, do_run, do_valgrind_run).
#
# See test.py for more information.
cpp_examples = [
    ("gridftp-minimal", "True", "False"),  # valgrind: the small file below shows as much
    ("gridftp-minimal --mode=mi-plus --ns3::gridftp::Client::FileSize=1000000", "True", "True"),
]

# A list of Python examples to run in order to ensure that they remain
# runnable over time.  Each tuple in the list contains
#
#     (example_name, do_run).
#
# See test.py for more information.
python_examples = []
