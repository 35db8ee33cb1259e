/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_RANDOM_LOSS_MODEL_H
#define GRIDFTP_RANDOM_LOSS_MODEL_H

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
 * Loses packets of a link by the draws of RandomLoss, and all while it is down: those that the
 * segment engine loses, too.
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

    /** @param stream of the draws @return streams used: 1 */
    int64_t AssignStreams(int64_t stream);

  private:
    bool DoCorrupt(Ptr<Packet> packet) override;
    void DoReset() override;

    RandomLoss m_loss;                            //!< which packets are lost
    std::optional<Time> m_nextBegin;              //!< see SetNextBegin()
    std::vector<std::pair<Time, Time>> m_outages; //!< see AddOutage()
};

} // namespace ns3::gridftp

#endif // GRIDFTP_RANDOM_LOSS_MODEL_H
