/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-linux-congestion.h"

#include <algorithm>
#include <array>

namespace ns3::gridftp
{

/**
 * @name Congestion controls
 * Each is declared in its own gridftp-linux-congestion-<name>.cc. They do not register themselves:
 * a linker drops objects of a static library that nothing names.
 * @{
 */
LinuxCongestionKind DeclareLinuxCubic();
LinuxCongestionKind DeclareLinuxReno();
LinuxCongestionKind DeclareLinuxBbr();
LinuxCongestionKind DeclareLinuxBbr3();

/** @} */

namespace
{

/// The send buffer holds this many windows (tcp_sndbuf_expand).
constexpr uint32_t SEND_BUFFER_FACTOR = 2;

} // namespace

void
LinuxCongestionControl::Init(LinuxWindow& /* window */)
{
}

void
LinuxCongestionControl::Increase(LinuxWindow& window, uint32_t acked)
{
    if (!window.MayGrow())
    {
        return;
    }
    if (window.IsInSlowStart())
    {
        acked = SlowStart(window, acked);
        if (acked == 0)
        {
            return;
        }
    }
    IncreaseAdditively(window, window.cwnd, acked);
}

bool
LinuxCongestionControl::HasControl() const
{
    return false;
}

void
LinuxCongestionControl::Control(LinuxWindow& /* window */, const LinuxRateSample& /* sample */)
{
}

void
LinuxCongestionControl::HandleState(LinuxWindow& /* window */, LinuxCaState /* next */)
{
}

void
LinuxCongestionControl::HandleEvent(LinuxWindow& /* window */, LinuxCaEvent /* event */)
{
}

void
LinuxCongestionControl::HandleAcked(LinuxWindow& /* window */, const LinuxAckSample& /* sample */)
{
}

void
LinuxCongestionControl::HandleLost(LinuxWindow& /* window */, const LinuxLostSegment& /* segment */)
{
}

uint32_t
LinuxCongestionControl::GetUndoCwnd(LinuxWindow& window)
{
    return std::max(window.cwnd, window.priorCwnd);
}

uint32_t
LinuxCongestionControl::GetMinTsoSegments(const LinuxWindow& /* window */) const
{
    return 0;
}

uint32_t
LinuxCongestionControl::GetTsoSegments(const LinuxWindow& /* window */) const
{
    return 0;
}

uint32_t
LinuxCongestionControl::GetSendBufferFactor() const
{
    return SEND_BUFFER_FACTOR;
}

uint32_t
LinuxCongestionControl::SlowStart(LinuxWindow& window, uint32_t acked)
{
    const uint32_t cwnd = std::min(window.cwnd + acked, window.ssthresh);
    acked -= cwnd - window.cwnd;
    window.cwnd = std::min(cwnd, window.cwndClamp);
    return acked;
}

void
LinuxCongestionControl::IncreaseAdditively(LinuxWindow& window, uint32_t per, uint32_t acked)
{
    // Credit from a larger window counts for one segment, however large it is
    if (window.cwndCount >= per)
    {
        window.cwndCount = 0;
        ++window.cwnd;
    }
    window.cwndCount += acked;
    if (window.cwndCount >= per)
    {
        const uint32_t more = window.cwndCount / per;
        window.cwndCount -= more * per;
        window.cwnd += more;
    }
    window.cwnd = std::min(window.cwnd, window.cwndClamp);
}

std::span<const LinuxCongestionKind>
GetLinuxCongestionKinds()
{
    static const std::array kinds{DeclareLinuxCubic(),
                                  DeclareLinuxReno(),
                                  DeclareLinuxBbr(),
                                  DeclareLinuxBbr3()};
    return kinds;
}

const LinuxCongestionKind*
FindLinuxCongestionKind(std::string_view name)
{
    const auto kinds = GetLinuxCongestionKinds();
    const auto it = std::ranges::find(kinds, name, &LinuxCongestionKind::name);
    return it == kinds.end() ? nullptr : &*it;
}

} // namespace ns3::gridftp
