/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_SEND_BUFFER_H
#define GRIDFTP_SEGMENT_SEND_BUFFER_H

#include "gridftp-segment-state.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief An application's data for a connection. */
class ByteSource
{
  public:
    virtual ~ByteSource() = default;

    /**
     * The application writes once. Called only while it is not exhausted.
     * @param room free bytes in the send buffer, at least 1
     * @return bytes written, from 1 to room; of an application that takes its time
     *         (SegmentSendBuffer::Size::most) also 0: it has nothing to write before GetNextNs()
     */
    virtual uint64_t Write(uint64_t room) = 0;

    /** Of an application that takes its time: what it has written is in the send buffer. */
    virtual void HandleWritten()
    {
    }

    /** @return when it can write again, ns, where Write() has written nothing */
    virtual int64_t GetNextNs() const
    {
        return 0;
    }

    /** @return whether it has written all it has */
    virtual bool IsExhausted() const = 0;
};

/**
 * @ingroup gridftp
 * The send buffer of a connection, and how an application writes into it: as DataSender does,
 * whenever a quarter of it is free (GetWriteBatch()), and then as much as is free.
 */
class SegmentSendBuffer
{
  public:
    /** As Size::most: the application does not tire. */
    static constexpr uint64_t AT_ONCE = 0;

    /** As Size::most: the application writes what there is room for, but may have to wait for what
     * it is to write. */
    static constexpr uint64_t AS_IT_COMES = std::numeric_limits<uint64_t>::max();

    /** How much of the send buffer has to be free, and how much is written at a time. */
    struct Size
    {
        uint64_t bytes{0};      //!< size of the send buffer
        uint64_t batch{1};      //!< free bytes below which writing waits
        uint64_t most{AT_ONCE}; //!< most bytes that it writes before it rests until Resume(); or
                                //!< AT_ONCE, AS_IT_COMES
    };

    /** @param size of the buffer */
    explicit SegmentSendBuffer(const Size& size)
        : m_size(size)
    {
    }

    /** Changes its size. @param bytes no less than what is in it @param batch see Size */
    void Resize(uint64_t bytes, uint64_t batch)
    {
        m_size.bytes = bytes;
        m_size.batch = batch;
        UpdateWake();
    }

    /** @return its size, bytes */
    uint64_t GetSize() const
    {
        return m_size.bytes;
    }

    /** @return whether the application writes nothing before Resume() */
    bool IsResting() const
    {
        return (m_pause & RESTING) != 0;
    }

    /** @return bytes that it has written and rests from; 0: it waits for its source */
    uint64_t GetRest() const
    {
        return m_rest;
    }

    /** @return when its source has something to write, ns, where it waits for it */
    int64_t GetNextNs() const
    {
        return m_source ? m_source->GetNextNs() : 0;
    }

    /** It has rested. */
    void Resume()
    {
        m_pause &= static_cast<uint8_t>(~RESTING);
        UpdateWake();
    }

    /** Begins to take from a source. @param source outlives the connection, or End() */
    void Begin(ByteSource& source)
    {
        m_source = &source;
        SetExhausted(source.IsExhausted());
        m_end = UNKNOWN;
        UpdateWake();
    }

    /** Writes once, apart from any source. @param bytes how many */
    void Append(uint64_t bytes)
    {
        m_written += bytes;
        UpdateWake();
    }

    /** Takes no more from the source. */
    void End()
    {
        m_source = nullptr;
        UpdateWake();
    }

    /** @return bytes written so far */
    uint64_t GetWritten() const
    {
        return m_written;
    }

    /** @return first byte behind all that the source has; a huge number before it is known */
    uint64_t GetEnd() const
    {
        return m_end;
    }

    /** @return acknowledged bytes below which there is nothing to do: no room, not all drained */
    uint64_t GetWake() const
    {
        return m_wake;
    }

    /** @param acknowledged bytes @return whether all of the source is written and acknowledged */
    bool IsDrained(uint64_t acknowledged) const
    {
        return m_source && (m_pause & EXHAUSTED) != 0 && acknowledged == m_written;
    }

    /** @param acknowledged bytes @return whether Fill() would write */
    bool WantsToWrite(uint64_t acknowledged) const
    {
        return m_size.bytes - (m_written - acknowledged) >= m_size.batch && m_source &&
               m_pause == 0;
    }

    /** Writes while there is room. @param acknowledged bytes */
    void Fill(uint64_t acknowledged)
    {
        while (WantsToWrite(acknowledged))
        {
            const uint64_t room = m_size.bytes - (m_written - acknowledged);
            const bool isTimed = m_size.most != AT_ONCE;
            const uint64_t bytes = m_source->Write(isTimed ? std::min(room, m_size.most) : room);
            m_written += bytes;
            if (isTimed)
            {
                TakeRest(bytes);
            }
            const bool isExhausted = m_source->IsExhausted();
            m_end = isExhausted ? m_written : UNKNOWN;
            m_pause |= isExhausted ? EXHAUSTED : 0;
        }
        UpdateWake();
    }

    /** @param state gets what it holds @param acknowledged bytes */
    void AddState(SegmentState& state, uint64_t acknowledged) const
    {
        state.Add(m_size.bytes);
        state.Add(m_source != nullptr);
        state.AddPosition(m_written, acknowledged);
        state.Add(m_end == UNKNOWN);
        state.AddPosition(m_wake, acknowledged);
        state.Add(m_rest);
        state.Add(m_pause);
    }

  private:
    static constexpr uint64_t UNKNOWN = std::numeric_limits<uint64_t>::max(); //!< see GetEnd()

    static constexpr uint8_t EXHAUSTED = 1; //!< the source has written all it has
    static constexpr uint8_t RESTING = 2;   //!< see IsResting()

    /** The application has written. @param bytes how many */
    void TakeRest(uint64_t bytes)
    {
        m_source->HandleWritten();
        m_rest = bytes;
        m_pause |= bytes == 0 || m_size.most != AS_IT_COMES ? RESTING : 0;
    }

    /** @param isExhausted the source has written all it has */
    void SetExhausted(bool isExhausted)
    {
        m_pause = static_cast<uint8_t>((m_pause & RESTING) | (isExhausted ? EXHAUSTED : 0));
    }

    /** Finds out when there is something to do again. */
    void UpdateWake()
    {
        const uint64_t wanted = m_written + m_size.batch;
        const bool writes = m_source && m_pause == 0;
        m_wake = !writes ? m_written : wanted > m_size.bytes ? wanted - m_size.bytes : 0;
    }

    Size m_size;                   //!< how large it is
    ByteSource* m_source{nullptr}; //!< what is sent, or null
    uint64_t m_written{0};         //!< bytes
    uint64_t m_end{UNKNOWN};       //!< see GetEnd()
    uint64_t m_wake{0};            //!< see GetWake()
    uint64_t m_rest{0};            //!< see GetRest()
    uint8_t m_pause{0};            //!< why nothing is written: EXHAUSTED, RESTING, or both
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_SEND_BUFFER_H
