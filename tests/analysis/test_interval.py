"""Intervals of means of what has bounds."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from analysis.statistics.interval import LOSS, SHARE, bounded, mean_interval
from analysis.statistics.means import means, summary

INDICES = [0.999, 0.93, 0.998, 0.99, 0.95]
HARMS = [0.99, 0.2, 0.95, 0.1, 0.9]


def test_students_interval_passes_a_bound_and_the_bounded_one_does_not() -> None:
    for values, within in ((INDICES, SHARE), (HARMS, LOSS)):
        assert mean_interval(values).high > 1
        found = mean_interval(values, within=within)
        assert found.low < found.mean < found.high < 1
        assert found.mean == mean_interval(values).mean


def test_the_logit_interval_is_of_the_transformed_mean() -> None:
    found = mean_interval(INDICES, within=SHARE)
    mean, error = np.mean(INDICES), np.std(INDICES, ddof=1) / math.sqrt(5)
    half = 2.776445105 * error / (mean * (1 - mean))  # t of 4 degrees of freedom
    logit = math.log(mean / (1 - mean))
    for end, place in ((found.low, logit - half), (found.high, logit + half)):
        assert end == pytest.approx(1 / (1 + math.exp(-place)), rel=1e-9)


def test_the_logarithms_interval_is_of_what_is_left() -> None:
    found = mean_interval(HARMS, within=LOSS)
    left = 1 - np.mean(HARMS)
    half = 2.776445105 * np.std(HARMS, ddof=1) / math.sqrt(5) / left
    assert found.low == pytest.approx(1 - left * math.exp(half), rel=1e-9)
    assert found.high == pytest.approx(1 - left * math.exp(-half), rel=1e-9)
    # Of what is above 0 it is the same, mirrored
    above = mean_interval([1 - value for value in HARMS], within=(0, math.inf))
    assert (above.low, above.high) == pytest.approx((1 - found.high, 1 - found.low), rel=1e-12)


def test_far_from_the_bounds_it_is_students() -> None:
    values = [0.5001, 0.5002, 0.4999]
    for within in (SHARE, LOSS):
        found, plain = mean_interval(values, within=within), mean_interval(values)
        assert (found.low, found.high) == pytest.approx((plain.low, plain.high), rel=1e-5)


def test_equal_values_have_an_interval_without_width_at_a_bound_too() -> None:
    for value in (1.0, 0.5, 0.0):
        found = mean_interval([value] * 3, within=SHARE)
        assert (found.low, found.high) == (value, value)
    assert bounded(0.5, 0.1, (-math.inf, math.inf)).high == 0.6


def test_it_covers_the_mean_as_often_as_it_says() -> None:
    random = np.random.default_rng(1)
    shares = random.beta(18, 2, (4000, 10))  # mean 0.9
    found = [mean_interval(row.tolist(), within=SHARE) for row in shares]
    covered = sum(one.low <= 0.9 <= one.high for one in found) / len(found)
    assert 0.935 < covered < 0.965


def test_means_of_runs_keep_their_bounds() -> None:
    runs = pd.DataFrame({"label": "x", "run": range(1, 6), "jain": INDICES})
    table = means(runs, ["label"], "jain", within=SHARE)
    assert table["high"].iloc[0] == summary(INDICES, SHARE)["high"] < 1
    assert means(runs, ["label"], "jain")["high"].iloc[0] > 1
