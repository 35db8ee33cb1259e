"""Read kept results; draw figures, judge claims.

Nothing here starts a program or imports the code that does: a result on disk says everything, its
complete scenario included, so this package repeats no default and no formula of the simulator.

Its rooms, each of which imports only from those before it: ``read``, ``statistics``, ``drawing``,
``claims``, ``figures``, ``report``.

To add a figure: one file in ``figures/``. To add a claim: one entry in ``claims/<paper>.toml``.
"""
