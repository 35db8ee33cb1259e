/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_BBFTP_PART_H
#define GRIDFTP_SEGMENT_BBFTP_PART_H

#include "gridftp-bbftp-file.h"
#include "gridftp-segment-connection.h"

#include <cstdint>
#include <deque>
#include <utility>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * The process that reads a part from storage and writes it to its connection.
 * Contract: a TcpConnection calls it whenever its send buffer has room, see ByteSource.
 */
class BbftpPartSource final : public ByteSource
{
  public:
    /** @param reads of the part @param connection that it writes to; outlives it */
    BbftpPartSource(BbftpReads reads, const TcpConnection& connection)
        : m_reads(std::move(reads)),
          m_connection(&connection)
    {
    }

    uint64_t Write(uint64_t room) override
    {
        return m_reads.Write(GetNow(), room);
    }

    void HandleWritten() override
    {
        m_reads.HandleWritten(GetNow());
    }

    int64_t GetNextNs() const override
    {
        return m_reads.GetNextNs();
    }

    bool IsExhausted() const override
    {
        return m_reads.IsExhausted();
    }

  private:
    /** @return the time at its end */
    Nanoseconds GetNow() const
    {
        return m_connection->GetNow(m_connection->GetUse().source);
    }

    BbftpReads m_reads;                //!< of the part
    const TcpConnection* m_connection; //!< that it writes to
};

/**
 * @ingroup gridftp
 * The receiver of parts.
 * Contract: BbftpPartSink calls it once for each block that its storage has written.
 */
class BbftpPartUser
{
  public:
    virtual ~BbftpPartUser() = default;

    /** A block is stored. @param now of the simulation @param stream index of its connection @param
     * bytes of the block on the connection */
    virtual void HandleStored(Nanoseconds now, uint32_t stream, uint64_t bytes) = 0;
};

/**
 * @ingroup gridftp
 * The process that reads a part from its connection and writes it to storage, where that takes
 * time. Contract: a TcpConnection passes arrived bytes to Take() while GetRoom() is above 0, see
 * ByteSink.
 */
class BbftpPartSink final : public ByteSink, private EventTarget
{
  public:
    /** @param writes of the part @param stream index of its connection @param clock of its host;
     * outlives it @param user called after each block; outlives it */
    BbftpPartSink(BbftpWrites writes, uint32_t stream, HostClock& clock, BbftpPartUser& user)
        : m_writes(std::move(writes)),
          m_stream(stream),
          m_clock(&clock),
          m_user(&user)
    {
    }

    BbftpPartSink(const BbftpPartSink&) = delete;
    BbftpPartSink& operator=(const BbftpPartSink&) = delete;

    Nanoseconds GetNextNs(Nanoseconds /* now */) override
    {
        return m_writes.GetNextNs();
    }

    uint64_t GetRoom() const override
    {
        return m_writes.GetRoom();
    }

    void Take(Nanoseconds now, uint64_t bytes) override
    {
        if (const auto written = m_writes.Take(now, bytes))
        {
            m_writing.push_back(written->wireBytes);
            m_clock->ScheduleWork(written->at, *this, 0);
        }
    }

  private:
    // EventTarget: a block is stored
    void HandleEvent(Nanoseconds now, uint32_t /* id */) override
    {
        const uint64_t bytes = m_writing.front();
        m_writing.pop_front();
        m_user->HandleStored(now, m_stream, bytes);
    }

    BbftpWrites m_writes;           //!< of the part
    uint32_t m_stream;              //!< index of its connection
    HostClock* m_clock;             //!< of its host
    BbftpPartUser* m_user;          //!< called after each block
    std::deque<uint64_t> m_writing; //!< bytes of blocks on the connection that are being stored
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_BBFTP_PART_H
