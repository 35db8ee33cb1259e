/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_DATAGRAMS_H
#define GRIDFTP_SEGMENT_DATAGRAMS_H

#include "gridftp-nanoseconds.h"
#include "gridftp-segment-flows.h"
#include "gridftp-segment-packet.h"
#include "gridftp-tool-end.h"
#include "gridftp-tool-kind.h"

#include <cstdint>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Two UDP sockets of the segment engine, each of which sends to the other one. A datagram with file
 * data is a packet and no more; what a report says waits here until the packet is there or lost.
 */
class DatagramFlow
{
  public:
    /** @brief Who receives. */
    class User
    {
      public:
        virtual ~User() = default;

        /** @param to which end @param now of the simulation @param datagram that has come */
        virtual void HandleData(uint32_t to, Nanoseconds now, const DataDatagram& datagram) = 0;

        /** @param to which end @param now of the simulation @param report that has come */
        virtual void HandleReport(uint32_t to, Nanoseconds now, const ReportDatagram& report) = 0;
    };

    /**
     * Adds one to a table.
     * @param flows the table, which owns it
     * @param path its hosts
     * @param kind whose datagrams; outlives it
     * @param user who receives; outlives it
     * @return the flow
     */
    static DatagramFlow& Make(FlowTable& flows,
                              const FlowPath& path,
                              const ToolKind& kind,
                              User& user);

    DatagramFlow(const DatagramFlow&) = delete;
    DatagramFlow& operator=(const DatagramFlow&) = delete;

    /** @param payload of datagrams that make packets of the usual size of their route */
    void SetUsualPayload(uint32_t payload);

    /** @param from which end @param now of the simulation @param datagram that is sent */
    void SendData(uint32_t from, Nanoseconds now, const DataDatagram& datagram)
    {
        const uint64_t value = datagram.number | static_cast<uint64_t>(datagram.stamp) << 32;
        SegmentNetwork& network = *m_network;
        const uint32_t route = m_path.routes[from];
        if (datagram.payload != m_usualPayload) [[unlikely]]
        {
            return network.Send(route,
                                now,
                                m_extraBytes + datagram.payload,
                                MakePacket(from, value, datagram.payload));
        }
        const SegmentPacket packet(m_usualLabels[from], value);
        if (network.IsPiped()) [[likely]]
        {
            return network.GetPipe().SendUsual(route, now, packet);
        }
        network.SendUsual(route, now, packet);
    }

    /**
     * @param from which end
     * @param now of the simulation
     * @return until when nothing can come to that end but what it does itself, ns; at least now
     */
    Nanoseconds GetSilence(uint32_t from, Nanoseconds now) const;

    /** @param from which end @param now of the simulation @param report that is sent */
    void SendReport(uint32_t from, Nanoseconds now, ReportDatagram report);

    // For FlowTable

    /** A packet arrives. @param at when @param packet it */
    void Receive(Nanoseconds at, SegmentPacket packet)
    {
        if (packet.GetKind() == PacketKind::DATAGRAM) [[likely]]
        {
            return ReceiveData(at, packet);
        }
        m_user->HandleReport(packet.GetEnd(), at, TakeReport(packet));
    }

    /** Receive() of one with file data. @param at when @param packet it */
    void ReceiveData(Nanoseconds at, SegmentPacket packet)
    {
        const uint64_t value = packet.GetValue();
        m_user->HandleData(packet.GetEnd(),
                           at,
                           {.number = static_cast<uint32_t>(value),
                            .stamp = static_cast<uint32_t>(value >> 32),
                            .payload = packet.GetPayload()});
    }

    /** A packet does not get through. @param packet it */
    void HandleDrop(SegmentPacket packet)
    {
        if (packet.GetKind() == PacketKind::REPORT)
        {
            TakeReport(packet);
        }
    }

  private:
    /** @param flows its table @param path its hosts @param kind whose datagrams @param user who
     * receives */
    DatagramFlow(FlowTable& flows, const FlowPath& path, const ToolKind& kind, User& user);

    /** @param from which end @param value see PacketKind::DATAGRAM @param payload of the datagram
     * @return its packet */
    SegmentPacket MakePacket(uint32_t from, uint64_t value, uint32_t payload) const
    {
        const uint32_t to = SegmentPacket::AddressOf(m_index, 1 - from);
        return {PacketKind::DATAGRAM, to, value, payload};
    }

    /** @param packet a report, whose place becomes free @return what it says */
    ReportDatagram TakeReport(SegmentPacket packet);

    SegmentNetwork* m_network;             //!< of the simulation
    FlowPath m_path;                       //!< its hosts
    const ToolKind* m_kind;                //!< whose datagrams
    User* m_user;                          //!< who receives
    uint32_t m_index{0};                   //!< in the table
    uint32_t m_usualPayload{0};            //!< of datagrams that make packets of the usual size
    SegmentPacket::Label m_usualLabels[2]; //!< of these, from each end
    int64_t m_extraBytes;                  //!< of an IP packet, around the file data
    std::vector<ReportDatagram> m_reports; //!< on their way, and free places
    std::vector<uint32_t> m_free;          //!< of these
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_DATAGRAMS_H
