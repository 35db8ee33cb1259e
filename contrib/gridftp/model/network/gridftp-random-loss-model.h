/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_RANDOM_LOSS_MODEL_H
#define GRIDFTP_RANDOM_LOSS_MODEL_H

#include "gridftp-middlebox.h"
#include "gridftp-random-loss.h"

#include "ns3/error-model.h"
#include "ns3/nstime.h"

#include <optional>
#include <utility>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Loses packets of a link by the draws of RandomLoss, all while it is down, and those above a size:
 * those that the segment engine loses, too. Packets have the two bytes of a PPP header.
 */
class RandomLossModel : public ErrorModel
{
  public:
    /** @return the TypeId */
    static TypeId GetTypeId();

    /** @param loss which packets are lost; without this call none is */
    void SetLoss(const RandomLoss& loss);

    /**
     * Everything that arrives in a time is lost, without a draw.
     * @param begin from when on
     * @param end until when
     */
    void AddOutage(Time begin, Time end);

    /** Has the next packet's loss depend on when it was sent, see RandomLoss::IsLost(). @param
     * begin when the packet's transmission began */
    void SetNextBegin(Time begin);

    /**
     * Every larger packet that arrives in a time is lost, without a draw.
     * @param hole the time, and the largest IP packet that passes
     */
    void AddHole(const SizeHole& hole);

    /** @param stream of the draws @return streams used: 1 */
    int64_t AssignStreams(int64_t stream);

  private:
    bool DoCorrupt(Ptr<Packet> packet) override;
    void DoReset() override;

    RandomLoss m_loss;                            //!< which packets are lost
    std::optional<Time> m_nextBegin;              //!< see SetNextBegin()
    std::vector<std::pair<Time, Time>> m_outages; //!< see AddOutage()
    std::vector<SizeHole> m_holes;                //!< see AddHole()
};

} // namespace ns3::gridftp

#endif // GRIDFTP_RANDOM_LOSS_MODEL_H
