/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_DATA_HOST_H
#define GRIDFTP_SEGMENT_DATA_HOST_H

#include "gridftp-event-target.h"
#include "gridftp-segment-nodes.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief The host of one application in the segment engine; see SegmentNodes. */
class SegmentDataHost final : public DataHost, private EventTarget
{
  public:
    /** @param nodes of the session; they outlive it @param node index of its node */
    SegmentDataHost(SegmentNodes& nodes, uint32_t node);

    // ApplicationHost
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
    void ScheduleWork(Nanoseconds now, Nanoseconds at, EventTarget& target, uint32_t id) override;

    // DataHost
    ByteStream& ConnectTo(Nanoseconds now,
                          const HostPort& to,
                          const StreamTerms& terms,
                          StreamUser& user) override;
    void SetAlarm(Nanoseconds now, Nanoseconds at, EventTarget& target) override;
    void CancelAlarm(EventTarget& target) override;
    DataStream* OpenData(Nanoseconds now,
                         const HostPort& to,
                         const StreamTerms& terms,
                         DataStreamUser& user) override;
    std::optional<uint16_t> ListenForData(Nanoseconds now,
                                          const StreamTerms& terms,
                                          DataListenUser& user) override;
    Nanoseconds AskCpu(Nanoseconds now, const CpuWork& work) override;
    BlockStages FindSourceStages(const BufferSpec& buffers, uint64_t offset) override;
    BlockStages FindSinkStages(const BufferSpec& buffers) override;

    /** @param state gets its alarms */
    void AddState(SegmentState& state) const;

  private:
    /** An alarm of an application. */
    struct TargetAlarm
    {
        EventTarget* target{nullptr}; //!< whose; null: it is not set
        Nanoseconds at{0};            //!< when it expires
    };

    // EventTarget: an alarm expires
    void HandleEvent(Nanoseconds now, uint32_t id) override;

    /** @return its node, and what that has assigned */
    SegmentNodes::Place& GetPlace() const;

    /** @param port of its node; 0: any @param terms of connections @param user called, or null
     * @param dataUser called, or null @return the port */
    uint16_t AddListener(uint16_t port,
                         const StreamTerms& terms,
                         ListenUser* user,
                         DataListenUser* dataUser);

    SegmentNodes* m_nodes;                        //!< of the session
    uint32_t m_node;                              //!< index of its node
    std::vector<TargetAlarm> m_alarms;            //!< by id of their events
    std::map<const EventTarget*, uint32_t> m_set; //!< ids of those that are set
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_DATA_HOST_H
