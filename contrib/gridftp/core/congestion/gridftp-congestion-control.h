/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_CONGESTION_CONTROL_H
#define GRIDFTP_CONGESTION_CONTROL_H

#include "gridftp-nanoseconds.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string_view>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * cwnd and ssthresh of a connection: what a congestion control sets. Whoever has one is told of
 * changes, once for each, where it wants to be.
 */
class CongestionWindow
{
  public:
    /** ssthresh before it is set. */
    static constexpr uint64_t NO_SSTHRESH = std::numeric_limits<uint32_t>::max();

    /** @return cwnd, without what fast recovery adds, bytes */
    uint64_t GetCwnd() const
    {
        return m_cwnd;
    }

    /** @return slow start threshold, bytes; NO_SSTHRESH before it is set */
    uint64_t GetSsthresh() const
    {
        return m_ssthresh;
    }

    /** @return MSS, bytes */
    uint64_t GetSegmentBytes() const
    {
        return m_segmentBytes;
    }

    /** @param bytes the new cwnd */
    void SetCwnd(uint64_t bytes)
    {
        const bool isNew = bytes != m_cwnd;
        m_cwnd = bytes;
        if (m_observed && isNew) [[unlikely]]
        {
            HandleWindowChange();
        }
    }

    /** @param bytes the new ssthresh */
    void SetSsthresh(uint64_t bytes)
    {
        const bool isNew = bytes != m_ssthresh;
        m_ssthresh = bytes;
        if (m_observed && isNew) [[unlikely]]
        {
            HandleWindowChange();
        }
    }

  protected:
    /** @param segmentBytes MSS, bytes */
    explicit CongestionWindow(uint64_t segmentBytes)
        : m_segmentBytes(segmentBytes)
    {
    }

    CongestionWindow(CongestionWindow&&) = default;
    CongestionWindow& operator=(CongestionWindow&&) = default;
    ~CongestionWindow() = default;

    /** HandleWindowChange() is called from now on. */
    void ObserveWindow()
    {
        m_observed = true;
    }

    /** cwnd or ssthresh has changed. */
    virtual void HandleWindowChange() = 0;

  private:
    uint64_t m_segmentBytes;          //!< MSS
    uint64_t m_cwnd{0};               //!< congestion window
    uint64_t m_ssthresh{NO_SSTHRESH}; //!< slow start threshold
    bool m_observed{false};           //!< changes are told
};

/** @ingroup gridftp @brief What a congestion control may know of its sender when it is called. */
struct CongestionSignals
{
    int64_t nowNs{0};         //!< the time, ns
    int64_t smoothedRttNs{0}; //!< SRTT, ns; 0 before the first sample
    uint64_t acknowledged{0}; //!< first byte not acknowledged
    uint64_t sent{0};         //!< first byte never sent
    /** When a segment was sent last, less than another one fitted into cwnd beside it. */
    bool isCwndLimited{false};
};

/**
 * @ingroup gridftp
 * Congestion control of one connection: how cwnd grows, and how much of it a loss leaves. What is
 * sent again, and when, is loss recovery's. The calls are those of ns3::TcpCongestionOps, in its
 * order, so that an algorithm can be held against ns-3's call by call. Arithmetic is integer, or
 * of +, -, *, / and the square root alone: results are the same with every compiler.
 */
class CongestionControl
{
  public:
    virtual ~CongestionControl() = default;

    /** The connection is about to open. @param now of the simulation */
    virtual void HandleOpen(Nanoseconds now);

    /**
     * An ACK has come, a duplicate one included: before Increase(), where there is one.
     * @param window may set ssthresh, to leave slow start
     * @param signals of now
     */
    virtual void HandleAck(CongestionWindow& window, const CongestionSignals& signals);

    /**
     * cwnd may grow: nothing is being recovered, or a timeout's losses are.
     * @param window to set
     * @param signals of now
     * @param segments newly acknowledged, perhaps none
     */
    virtual void Increase(CongestionWindow& window,
                          const CongestionSignals& signals,
                          uint64_t segments) = 0;

    /**
     * A segment is lost; only what this returns is used.
     * @param window as it is
     * @param flight bytes that were in flight
     * @return ssthresh from now on, bytes
     */
    virtual uint64_t GetSsthreshAfterLoss(const CongestionWindow& window, uint64_t flight);

    /** It was a timeout; after GetSsthreshAfterLoss(). @param signals of now */
    virtual void HandleTimeout(const CongestionSignals& signals);
};

/**
 * @ingroup gridftp
 * A congestion control as its source file declares it. All else follows from this: the word of
 * --tcp with its help and checks, what both engines run, the lab's choices.
 */
struct CongestionControlKind
{
    std::string_view name;     //!< as in --tcp=NAME
    std::string_view help;     //!< what it is, with its source, in a few words
    std::string_view ns3Type;  //!< TypeId of what engine ns3 runs: a TcpCongestionOps or a socket
    std::string_view recovery; //!< loss recovery of the segment engine: "reno" or "newreno"
    bool growsAsReno;          //!< Increase() is IncreaseAsReno(), HandleAck() does nothing: what
                               //!< the segment engine's fast path takes for granted

    /** @return one for a new connection */
    std::unique_ptr<CongestionControl> (*make)();
};

/**
 * @ingroup gridftp
 * @return all of them, in the order of --help
 */
std::span<const CongestionControlKind> GetCongestionControls();

/**
 * @ingroup gridftp
 * @param name as in --tcp=NAME
 * @return the kind, or null
 */
const CongestionControlKind* FindCongestionControl(std::string_view name);

} // namespace ns3::gridftp

#endif // GRIDFTP_CONGESTION_CONTROL_H
