/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_LINUX_BBR_ROUNDS_TEST_H
#define GRIDFTP_LINUX_BBR_ROUNDS_TEST_H

#include "gridftp-linux-congestion-test.h"

/**
 * @file
 * @ingroup gridftp
 * What the tests of BBR share that make up its ACKs.
 */

namespace ns3::gridftp
{

/// bbr with ACKs that the test makes up: one for each round trip of 40 ms.
struct BbrRounds : LinuxControlled
{
    /// RTT, us
    static constexpr int64_t RTT_US = 40'000;

    /// @param name bbr or bbr3
    explicit BbrRounds(std::string_view name = "bbr")
        : LinuxControlled(name)
    {
        window.srttUs8 = 8 * RTT_US;
        window.minRttUs = RTT_US;
        control->Init(window);
    }

    /// One ACK, of a round. @param sampled segments of the rate sample @param delivered segments
    /// that the ACK delivers @param losses of them
    void Round(int64_t sampled, uint32_t delivered, uint32_t losses = 0)
    {
        Acknowledge(sampled, delivered, losses, RTT_US);
    }

    /// A round of constant rate. @param segments of it
    void Round(uint32_t segments)
    {
        Round(segments, segments);
    }

    /// @param sampled segments @param delivered segments @param losses segments @param us time
    void Acknowledge(int64_t sampled, uint32_t delivered, uint32_t losses, Nanoseconds us)
    {
        Wait(us);
        LinuxRateSample sample;
        sample.priorDelivered = window.delivered;
        sample.delivered = sampled;
        sample.intervalUs = intervalUs;
        sample.rttUs = RTT_US;
        sample.losses = losses;
        sample.ackedSacked = delivered;
        sample.priorInFlight = window.GetInFlight();
        sample.isAppLimited = isAppLimited;
        sample.lost = losses;
        sample.txInFlight = txInFlight;
        sample.isAckingTlp = isAckingTlp;
        window.delivered += delivered;
        window.lost += losses;
        window.deliveredAt = window.now;
        control->Control(window, sample);
    }

    /// A full pipe of 100 segments per round, in PROBE_BW.
    void Fill()
    {
        for (int round = 0; round < 4; ++round)
        {
            Round(100);
        }
    }

    /// @return bbr3 that cruises at 100 segments per round
    static BbrRounds Cruise()
    {
        BbrRounds sender("bbr3");
        sender.Fill();
        sender.Round(100);
        return sender;
    }

    /// @return bbr3 that has begun to probe, whose samples show that
    static BbrRounds Probe()
    {
        BbrRounds sender = Cruise();
        for (int round = 0; round < 80 && sender.GetRate() < RateOf(100, 1.2); ++round)
        {
            sender.Round(100);
        }
        return sender;
    }

    /// @param segments per round @param gain pacing gain @return its pacing rate, bytes/s
    static double RateOf(double segments, double gain = 1)
    {
        return segments / 0.04 * 1460 * 0.99 * gain;
    }

    /// @return pacing rate, bytes/s
    double GetRate() const
    {
        return static_cast<double>(window.pacingRate);
    }

    int64_t intervalUs{RTT_US}; //!< of the next samples, us
    bool isAppLimited{false};   //!< of the next ACKs
    uint32_t txInFlight{0};     //!< of the next ACKs, for bbr3
    bool isAckingTlp{false};    //!< of the next ACKs, for bbr3
};

} // namespace ns3::gridftp

#endif // GRIDFTP_LINUX_BBR_ROUNDS_TEST_H
