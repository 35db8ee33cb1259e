"""How long a test waits before it says that something will never come to pass."""

from __future__ import annotations

PATIENCE = 300.0
"""Seconds; a slow or busy machine is no failure, and who waits in vain has failed anyway."""
