/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-congestion-reno.h"

namespace ns3::gridftp
{

namespace
{

/** RFC 5681. What tells Reno from NewReno is loss recovery. */
class RenoControl final : public CongestionControl
{
  public:
    void Increase(CongestionWindow& window,
                  const CongestionSignals& /* signals */,
                  uint64_t segments) override
    {
        IncreaseAsReno(window, segments);
    }
};

/** @return one for a new connection */
std::unique_ptr<CongestionControl>
MakeReno()
{
    return std::make_unique<RenoControl>();
}

} // namespace

CongestionControlKind
DeclareReno()
{
    return {
        .name = "reno",
        .help = "Reno (RFC 2581)",
        .ns3Type = "ns3::gridftp::TcpSocketReno",
        .recovery = "reno",
        .growsAsReno = true,
        .make = &MakeReno,
    };
}

CongestionControlKind
DeclareNewReno()
{
    return {
        .name = "newreno",
        .help = "NewReno (RFC 6582, as ns-3 has it)",
        .ns3Type = "ns3::TcpNewReno",
        .recovery = "newreno",
        .growsAsReno = true,
        .make = &MakeReno,
    };
}

} // namespace ns3::gridftp
