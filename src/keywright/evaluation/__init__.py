"""Scores: a function of predictions and gold, named by a protocol.

``rules`` and ``protocol`` state the rules, the rooms apply them. Each imports only from names before it in this list,
which a contract of the import checker holds: ``rules``, ``normal_forms``, ``measures``, ``protocol``, ``formats``,
``matching``, ``protocols``, ``scoring``, ``statistics``, ``run_formats``, ``publishing``. ``reference`` has drop-in
replacements for published scorers and may import everything up to ``scoring``.
"""
