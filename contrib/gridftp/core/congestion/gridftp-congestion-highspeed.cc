/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-congestion-control.h"
#include "gridftp-congestion-reno.h"

#include <algorithm>
#include <array>

namespace ns3::gridftp
{

namespace
{

/** A row of the table of RFC 3649, Appendix B; a(w) is the number of the row, from 1. */
struct Row
{
    uint32_t window; //!< w: the largest window that the row is for, segments
    double decrease; //!< b(w): the part of the window that a loss takes
};

// clang-format off
/** RFC 3649, Appendix B, with 53667 as in ns3::TcpHighSpeed where the RFC has 53677. */
constexpr std::array<Row, 73> TABLE{{
    {38, 0.50}, {118, 0.44}, {221, 0.41}, {347, 0.38}, {495, 0.37}, {663, 0.35},
    {851, 0.34}, {1058, 0.33}, {1284, 0.32}, {1529, 0.31}, {1793, 0.30}, {2076, 0.29},
    {2378, 0.28}, {2699, 0.28}, {3039, 0.27}, {3399, 0.27}, {3778, 0.26}, {4177, 0.26},
    {4596, 0.25}, {5036, 0.25}, {5497, 0.24}, {5979, 0.24}, {6483, 0.23}, {7009, 0.23},
    {7558, 0.22}, {8130, 0.22}, {8726, 0.22}, {9346, 0.21}, {9991, 0.21}, {10661, 0.21},
    {11358, 0.20}, {12082, 0.20}, {12834, 0.20}, {13614, 0.19}, {14424, 0.19}, {15265, 0.19},
    {16137, 0.19}, {17042, 0.18}, {17981, 0.18}, {18955, 0.18}, {19965, 0.17}, {21013, 0.17},
    {22101, 0.17}, {23230, 0.17}, {24402, 0.16}, {25618, 0.16}, {26881, 0.16}, {28193, 0.16},
    {29557, 0.15}, {30975, 0.15}, {32450, 0.15}, {33986, 0.15}, {35586, 0.14}, {37253, 0.14},
    {38992, 0.14}, {40808, 0.14}, {42707, 0.13}, {44694, 0.13}, {46776, 0.13}, {48961, 0.13},
    {51258, 0.13}, {53667, 0.12}, {56230, 0.12}, {58932, 0.12}, {61799, 0.12}, {64851, 0.11},
    {68113, 0.11}, {71617, 0.11}, {75401, 0.10}, {79517, 0.10}, {84035, 0.10}, {89053, 0.10},
    {94717, 0.09},
}};
// clang-format on

/** @param window segments @return the row for it, the last one for all that are larger */
size_t
FindRow(uint64_t window)
{
    const auto row = std::ranges::lower_bound(TABLE, window, {}, &Row::window);
    return std::min<size_t>(static_cast<size_t>(row - TABLE.begin()), TABLE.size() - 1);
}

/**
 * HighSpeed TCP (S. Floyd, RFC 3649): above 38 segments cwnd w grows by a(w) segments a round trip
 * instead of one, and a loss takes b(w) of it instead of a half. As in ns3::TcpHighSpeed cwnd grows
 * by whole segments, when the segments acknowledged since, each counted a(w) times, are as many as
 * it has; slow start is Reno's.
 */
class HighSpeedControl final : public CongestionControl
{
  public:
    void Increase(CongestionWindow& window,
                  const CongestionSignals& signals,
                  uint64_t segments) override;
    uint64_t GetSsthreshAfterLoss(const CongestionWindow& window, uint64_t flight) override;

  private:
    uint64_t m_acknowledged{0}; //!< segments that have not made cwnd grow yet, a(w) times each
};

void
HighSpeedControl::Increase(CongestionWindow& window,
                           const CongestionSignals& /* signals */,
                           uint64_t segments)
{
    if (window.GetCwnd() < window.GetSsthresh() && segments > 0)
    {
        IncreaseAsReno(window, 1);
        --segments;
    }
    if (window.GetCwnd() < window.GetSsthresh())
    {
        return;
    }
    const uint64_t before = window.GetCwnd() / window.GetSegmentBytes();
    m_acknowledged += segments * (FindRow(before) + 1);
    uint64_t cwnd = before;
    while (m_acknowledged >= cwnd)
    {
        m_acknowledged -= cwnd;
        ++cwnd;
    }
    if (cwnd != before)
    {
        window.SetCwnd(cwnd * window.GetSegmentBytes());
    }
}

uint64_t
HighSpeedControl::GetSsthreshAfterLoss(const CongestionWindow& window, uint64_t flight)
{
    const uint64_t segments = flight / window.GetSegmentBytes();
    const double left = static_cast<double>(segments) * (1 - TABLE[FindRow(segments)].decrease);
    return static_cast<uint64_t>(std::max(2.0, left)) * window.GetSegmentBytes();
}

} // namespace

CongestionControlKind
DeclareHighSpeed()
{
    return {
        .name = "highspeed",
        .help = "HighSpeed TCP (RFC 3649)",
        .ns3Type = "ns3::TcpHighSpeed",
        .recovery = "newreno",
        .growsAsReno = false,
        .make = []() -> std::unique_ptr<CongestionControl> {
            return std::make_unique<HighSpeedControl>();
        },
    };
}

} // namespace ns3::gridftp
