/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_CONGESTION_TEST_H
#define GRIDFTP_CONGESTION_TEST_H

#include "gridftp-congestion-control.h"
#include "gridftp-test-cases.h"

#include "ns3/test.h"

#include <memory>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * What the tests of congestion controls share: a window in segments of 1000 bytes.
 */

namespace ns3::gridftp
{

/// A congestion control and its window, without a network.
class MadeUpSender : public CongestionWindow
{
  public:
    /// MSS, bytes
    static constexpr uint64_t SEGMENT = 1000;

    /// @param tcp as in --tcp @param cwnd segments @param ssthresh segments
    MadeUpSender(const std::string& tcp, uint64_t cwnd, uint64_t ssthresh)
        : CongestionWindow(SEGMENT),
          control(FindCongestionControl(tcp)->make())
    {
        SetCwnd(cwnd * SEGMENT);
        SetSsthresh(ssthresh * SEGMENT);
        control->HandleOpen(0);
    }

    /// @param segments that an ACK is of, now
    void Acknowledge(uint64_t segments = 1)
    {
        signals.acknowledged += segments * SEGMENT;
        control->HandleAck(*this, signals);
        control->Increase(*this, signals, segments);
    }

    /// A whole window is acknowledged, segment by segment, now.
    void AcknowledgeWindow()
    {
        for (uint64_t left = GetCwnd() / SEGMENT; left > 0; --left)
        {
            Acknowledge();
        }
    }

    /// @param flight segments @return ssthresh after a loss, segments
    uint64_t Lose(uint64_t flight)
    {
        return control->GetSsthreshAfterLoss(*this, flight * SEGMENT) / SEGMENT;
    }

    /// @return cwnd, segments
    double GetSegments() const
    {
        return static_cast<double>(GetCwnd()) / SEGMENT;
    }

    std::unique_ptr<CongestionControl> control;       //!< tested
    CongestionSignals signals{.isCwndLimited = true}; //!< what it is told

  private:
    void HandleWindowChange() override
    {
    }
};

} // namespace ns3::gridftp

#endif // GRIDFTP_CONGESTION_TEST_H
