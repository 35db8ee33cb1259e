/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_LINUX_RECEIVER_TEST_H
#define GRIDFTP_LINUX_RECEIVER_TEST_H

#include "gridftp-linux-receiver-fast.h"

#include <cstdint>
#include <string>

/**
 * @file
 * @ingroup gridftp
 * What the tests of LinuxReceiver share.
 */

namespace ns3::gridftp
{

/// A LinuxReceiver, the network before it, and the application behind it, by hand.
class LinuxReceiverBench
{
  public:
    /// Bytes of data of a full segment.
    static constexpr uint32_t SEGMENT = 1448;
    /// RTT of the handshake: 8 times, us.
    static constexpr uint32_t SRTT_US8 = 8 * 100'000;

    /// @param settings of the host @param hasSack SACK is permitted @param isServer whether it
    /// answered the handshake
    explicit LinuxReceiverBench(const LinuxSettings& settings,
                                bool hasSack = true,
                                bool isServer = true)
        : receiver(settings)
    {
        LinuxSegment syn;
        syn.flags = static_cast<uint8_t>(LinuxSegment::SYN | (isServer ? 0 : LinuxSegment::ACK));
        if (settings.ecn)
        {
            syn.flags |= LinuxSegment::ECE;
            syn.flags |= isServer ? LinuxSegment::CWR : 0;
        }
        syn.tsVal = 1;
        receiver.Open(now, syn, hasSack, settings.timestamps);
        m_hasTimestamps = settings.timestamps;
    }

    /// A segment comes. @param seq its position @param size bytes @param flags besides ACK @return
    /// whether an ACK left, see `ack`
    bool Come(uint64_t seq, uint32_t size, uint8_t flags = 0)
    {
        segment.seq = seq;
        segment.size = size;
        segment.flags = static_cast<uint8_t>(flags | LinuxSegment::ACK);
        segment.hasTimestamp = m_hasTimestamps;
        segment.tsVal = static_cast<uint32_t>(now / LINUX_MS);
        if (segment.GetEnd() == seq)
        {
            return receiver.ReceiveAck(now, segment) && Send();
        }
        receiver.Receive(now, segment);
        return receiver.DecideAck(now, SRTT_US8) && Send();
    }

    /// The application reads all there is. @return whether an ACK left
    bool ReadAll()
    {
        return receiver.Read(now, receiver.GetReadable()) && Send();
    }

    /// Full segments come, each read at once. @param count of them @param interval between them
    /// @return how many ACKs left
    int Stream(int count, Nanoseconds interval)
    {
        int acks = 0;
        for (int i = 0; i < count; ++i)
        {
            acks += Come(receiver.GetNext(), SEGMENT) ? 1 : 0;
            acks += ReadAll() ? 1 : 0;
            now += interval;
        }
        return acks;
    }

    /// The deadline is reached. @return whether an ACK left
    bool Expire()
    {
        now = receiver.GetDeadline();
        return receiver.HandleDeadline(now) && Send();
    }

    /// An ACK leaves. @return true
    bool Send()
    {
        ack = {};
        ack.flags = LinuxSegment::ACK;
        receiver.Fill(now, ack);
        return true;
    }

    /// @return the SACK blocks of `ack` in segments from position 1 on, as "3-4 1-2"
    std::string GetBlocks() const
    {
        std::string text;
        for (uint32_t i = 0; i < ack.blocks; ++i)
        {
            text += (i > 0 ? " " : "") + std::to_string((ack.sack[i].start - 1) / SEGMENT) + "-" +
                    std::to_string((ack.sack[i].end - 1) / SEGMENT);
        }
        return text;
    }

    /// @param index of a segment @return its position
    static uint64_t At(uint64_t index)
    {
        return 1 + SEGMENT * index;
    }

    Nanoseconds now{1'000 * LINUX_MS}; //!< current time
    LinuxReceiver receiver;            //!< under test
    LinuxSegment segment; //!< the last one that came; ECN bits and tsEcr are used again
    LinuxSegment ack;     //!< the last one that left

  private:
    bool m_hasTimestamps{true};
};

} // namespace ns3::gridftp

#endif // GRIDFTP_LINUX_RECEIVER_TEST_H
