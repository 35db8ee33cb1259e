/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_RANDOM_LOSS_MODEL_H
#define GRIDFTP_RANDOM_LOSS_MODEL_H

#include "gridftp-random-loss.h"

#include "ns3/error-model.h"

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Loses packets of a link by the draws of RandomLoss: those that the segment engine loses, too.
 */
class RandomLossModel : public ErrorModel
{
  public:
    /** @return the TypeId */
    static TypeId GetTypeId();

    /** @param loss which packets are lost; without this call none is */
    void SetLoss(const RandomLoss& loss);

    /** @param stream of the draws @return streams used: 1 */
    int64_t AssignStreams(int64_t stream);

  private:
    bool DoCorrupt(Ptr<Packet> packet) override;
    void DoReset() override;

    RandomLoss m_loss; //!< which packets are lost
};

} // namespace ns3::gridftp

#endif // GRIDFTP_RANDOM_LOSS_MODEL_H
