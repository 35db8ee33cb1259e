/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LAB_PACKET_LOG_H
#define LAB_PACKET_LOG_H

#include "gridftp-nanoseconds.h"
#include "gridftp-segment-simulator.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::gridftp
{

/** @brief Where packets are and were of late: what is drawn as packets that move. */
class PacketLog : public PacketObserver
{
  public:
    /** @brief A packet at a place. */
    struct Entry
    {
        PacketStay stay;                      //!< where and when
        std::optional<ConnectionLabel> label; //!< of its data connection, if of any
    };

    /**
     * Calls a function for all that are somewhere, and for those that have been refused or lost.
     * @param now of the simulation
     * @param sinceNs refused or lost after this, ns
     * @param function of an Entry
     */
    template <typename Function>
    void ForEach(Nanoseconds now, int64_t sinceNs, Function function) const
    {
        for (const auto* entries : {&m_entries, &m_waiting})
        {
            for (const Entry& entry : *entries)
            {
                const auto& stay = entry.stay;
                const auto since = stay.beginNs == stay.endNs ? sinceNs : now - 1;
                if (stay.beginNs <= now && stay.endNs > since)
                {
                    function(entry);
                }
            }
        }
    }

    // Inherited from PacketObserver
    void HandlePacket(const PacketStay& stay, const std::optional<ConnectionLabel>& label) override;

    /** Forgets what is over. @param sinceNs all that ended before */
    void Forget(int64_t sinceNs);

  private:
    static constexpr size_t MOST = 1 << 18; //!< more are on no path that is drawn

    std::vector<Entry> m_entries; //!< in the order in which they became known
    std::vector<Entry> m_waiting; //!< those whose end is not known yet, likewise
};

} // namespace ns3::gridftp

#endif // LAB_PACKET_LOG_H
