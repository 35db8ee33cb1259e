"""Declare, run and keep simulations.

Data flow one way: this package starts the programs and keeps their results as files; the package
``analysis`` reads those files and nothing else. No option's default and no formula is repeated
here: a program resolves its own options, and a result echoes the scenario it came from.

Its rooms, each of which imports only from those before it: ``terminal``, ``programs``,
``learning``, ``spec``, ``readings``, ``transfer_logs``, ``store``, ``cluster``, ``run``,
``profile``, ``draw``, ``bench``, ``twin``, ``verbs``.
"""
