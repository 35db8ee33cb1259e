"""Recorded results of random scenarios: what each engine gave, to the digit.

`scenarios/NAME.jsonl` has scenarios as `./gridftp run --batch` reads them; NAME says what they are
about. `results/ENGINE/NAME.tsv` has a line for the result of each scenario. A change of the code
either keeps all these lines, or the same commit records them again and CHANGELOG explains which
results moved and why:

    ./gridftp build                             # first: the comparison runs the built programs
    .venv/bin/python -m tests.golden            # compare all, list what differs
    .venv/bin/python -m tests.golden --write    # record, list what has changed

`results/dialogues/NAME.tsv` has the ports and the control lines of the first scenarios of each
file, with engine ns3: see `dialogues`.

The digest covers all of a result but its texts, the scenario, the cost and the provenance. If only
the digest differs, compare what the old and the new program print for that scenario. To add a
scenario, append a line to its file and record.
"""
