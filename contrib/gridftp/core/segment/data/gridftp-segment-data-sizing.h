/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_DATA_SIZING_H
#define GRIDFTP_SEGMENT_DATA_SIZING_H

#include "gridftp-data-channel-sizing.h"
#include "gridftp-nanoseconds.h"
#include "gridftp-segment-connection.h"
#include "gridftp-segment-sources.h"

#include <cstdint>
#include <deque>
#include <optional>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Sizes the receive buffer of a data connection of the segment engine by SBUFs on it: both ends of
 * it, what ConnectionSizer and DataSender do in engine ns3. SBUFs and headers have their true
 * lengths; what they say is kept here.
 */
class SegmentDataSizing final : private EventTarget, private HeaderObserver
{
  public:
    /** @param settings of the connection */
    explicit SegmentDataSizing(const BufferSettings& settings)
        : m_settings(settings),
          m_sizing(settings)
    {
    }

    SegmentDataSizing(const SegmentDataSizing&) = delete;
    SegmentDataSizing& operator=(const SegmentDataSizing&) = delete;

    /** It is of a new connection. @param connection which talks back; outlives it */
    void Renew(TcpConnection& connection);

    /** What has come back so far is no SBUF. */
    void SkipBack()
    {
        m_skipped = m_connection->GetReceiver(TcpConnection::ACTIVE).GetNext();
    }

    /** The connection is about to carry blocks of a chunk. @param source of them, which has written
     * nothing */
    void Begin(BlockSource& source);

    /** The receiving end has read. @param now of the simulation */
    void HandleRead(Nanoseconds now);

    /** Something has come back to the sending end. @param now of the simulation */
    void HandleSizings(Nanoseconds now);

    /** The receiving end sends no more, until the next chunk. */
    void End();

    /** @return round-trip times so far, of all connections */
    MeasuredRtt GetMeasured() const;

  private:
    // EventTarget
    void HandleEvent(Nanoseconds now, uint32_t id) override;

    // HeaderObserver
    void HandleHeader(uint64_t payload) override;

    /** @return bytes that the receiving end has read of the chunk */
    uint64_t GetRead() const;

    /** Tells the sender, and sets the alarm. @param now of the simulation @param message what to
     * tell, if anything */
    void Tell(Nanoseconds now, const std::optional<SizingMessage>& message);

    BufferSettings m_settings;                //!< of the connection
    MeasuredRtt m_before;                     //!< of connections before this one
    DataChannelSizing m_sizing;               //!< decides
    ClassicConnection* m_connection{nullptr}; //!< which; of the classic stack
    uint64_t m_begin{0};                      //!< first byte of the chunk in the stream
    bool m_begun{false};                      //!< something of the chunk has been read
    std::deque<SizingMessage> m_underWay;     //!< SBUFs that the sending end has not read, in order
    uint64_t m_taken{0};                      //!< SBUFs that it has read
    uint64_t m_skipped{0};                    //!< bytes before the first one
    uint32_t m_owed{0};                       //!< of these, not acknowledged
    uint64_t m_headers{0};                    //!< headers of the chunk so far
    std::deque<uint64_t> m_acknowledgements;  //!< first byte of the chunk behind headers that
                                              //!< acknowledge an SBUF and have not been read
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_DATA_SIZING_H
