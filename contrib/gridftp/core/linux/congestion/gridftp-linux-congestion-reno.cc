/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-linux-congestion.h"

#include <algorithm>

namespace ns3::gridftp
{

/** @return the row of reno */
LinuxCongestionKind DeclareLinuxReno();

namespace
{

/// reno of the kernel (net/ipv4/tcp_cong.c): RFC 5681, all else is the default.
class LinuxReno : public LinuxCongestionControl
{
  public:
    uint32_t GetSsthresh(LinuxWindow& window) override
    {
        return std::max(window.cwnd >> 1, 2U);
    }
};

} // namespace

LinuxCongestionKind
DeclareLinuxReno()
{
    return {
        .name = "reno",
        .make = [](const LinuxCongestionParameters&) -> std::unique_ptr<LinuxCongestionControl> {
            return std::make_unique<LinuxReno>();
        }};
}

} // namespace ns3::gridftp
