/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_STREAMS_H
#define GRIDFTP_SEGMENT_STREAMS_H

#include "gridftp-application-host.h"
#include "gridftp-assigned-ports.h"
#include "gridftp-scenario.h"
#include "gridftp-segment-flows.h"
#include "gridftp-segment-stream-settings.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::gridftp
{

class SegmentStreamPair;

/**
 * @ingroup gridftp
 * The driver of the segment engine: the two hosts of a session, for applications without I/O.
 *
 * Contract: an application at each host calls its ApplicationHost. This object outlives both. What
 * the peer listens on when a host calls Connect() decides: without a listener the connection is
 * refused.
 */
class SegmentStreamHosts
{
  public:
    /** @param flows of the simulation; outlives it @param path from host 0 to host 1 @param
     * scenario resolved; outlives it @param tcp of both hosts; outlives it */
    SegmentStreamHosts(FlowTable& flows,
                       const FlowPath& path,
                       const Scenario& scenario,
                       const TcpSpec& tcp);

    ~SegmentStreamHosts();

    /** @param index 0 or 1, as the ends of the path @return the host there */
    ApplicationHost& GetHost(uint32_t index)
    {
        return m_hosts[index];
    }

  private:
    /** One of both hosts. */
    class Host final : public ApplicationHost
    {
      public:
        /** @param owner both hosts @param index which of them */
        Host(SegmentStreamHosts& owner, uint32_t index)
            : m_owner(&owner),
              m_index(index)
        {
        }

        ByteStream& Connect(Nanoseconds now,
                            uint16_t port,
                            const StreamTerms& terms,
                            StreamUser& user) override;
        uint16_t Listen(Nanoseconds now,
                        uint16_t port,
                        const StreamTerms& terms,
                        ListenUser& user) override;
        void StopListening() override;
        void Schedule(Nanoseconds now, Nanoseconds at, EventTarget& target, uint32_t id) override;
        void ScheduleWork(Nanoseconds now,
                          Nanoseconds at,
                          EventTarget& target,
                          uint32_t id) override;

        /** @param port one of its ports @return who listens there; null: nobody does */
        const SegmentListener* FindListener(uint16_t port) const;

      private:
        /** @return the time at this host */
        HostClock& GetClock() const;

        SegmentStreamHosts* m_owner;               //!< both hosts
        uint32_t m_index;                          //!< which of them
        std::vector<SegmentListener> m_listeners;  //!< its listeners
        uint16_t m_nextPort{FIRST_EPHEMERAL_PORT}; //!< next one, where the flow table assigns none
    };

    SegmentStreamSettings m_settings;                          //!< of all connections
    FlowPath m_path;                                           //!< from host 0 to host 1
    std::vector<std::unique_ptr<SegmentStreamPair>> m_streams; //!< all connections
    Host m_hosts[2]{{*this, 0}, {*this, 1}};                   //!< by index
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_STREAMS_H
