/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_LINUX_CONGESTION_TEST_H
#define GRIDFTP_LINUX_CONGESTION_TEST_H

#include "gridftp-linux-congestion.h"
#include "gridftp-test-cases.h"

#include "ns3/test.h"

#include <memory>
#include <string_view>

/**
 * @file
 * @ingroup gridftp
 * What the tests of the Linux congestion controls share.
 */

namespace ns3::gridftp
{

/// A Linux congestion control and its variables, without a sender.
struct LinuxControlled
{
    /// @param name as in tcp_congestion_control @param parameters of the congestion control
    explicit LinuxControlled(std::string_view name,
                             const LinuxCongestionParameters& parameters = {})
        : control(FindLinuxCongestionKind(name)->make(parameters))
    {
        window.isCwndLimited = true;
    }

    /// @param name as in tcp_congestion_control @param cwnd segments @param ssthresh segments
    LinuxControlled(std::string_view name, uint32_t cwnd, uint32_t ssthresh)
        : LinuxControlled(name)
    {
        window.cwnd = cwnd;
        window.ssthresh = ssthresh;
        control->Init(window);
    }

    /// @param us time that passes
    void Wait(Nanoseconds us)
    {
        window.now += us * 1000;
    }

    /// @param rttUs RTT of an ACK, us
    void Sample(int64_t rttUs)
    {
        control->HandleAcked(window, {.rttUs = rttUs});
    }

    /// @param count ACKs of one segment, now
    void Acknowledge(uint32_t count = 1)
    {
        for (; count > 0; --count)
        {
            control->Increase(window, 1);
        }
    }

    /// Loss by duplicate ACKs, recovered at once.
    void Lose()
    {
        window.priorCwnd = window.cwnd;
        window.ssthresh = control->GetSsthresh(window);
        window.cwnd = window.ssthresh;
        window.cwndCount = 0;
    }

    LinuxWindow window;                              //!< variables of the sender
    std::unique_ptr<LinuxCongestionControl> control; //!< tested
};

} // namespace ns3::gridftp

#endif // GRIDFTP_LINUX_CONGESTION_TEST_H
