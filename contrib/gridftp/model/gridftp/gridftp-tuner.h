/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_TUNER_H
#define GRIDFTP_TUNER_H

#include "gridftp-tuning-policy.h"

#include "ns3/object.h"
#include "ns3/type-id.h"

#include <memory>
#include <string>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Decides the parallelism of a client: an ns-3 Object, chosen by its TypeId and set by attributes,
 * around a policy of the core, which is where the algorithm stands.
 *
 * The client calls GetInitialParallelism() before the first chunk and Decide() after each; see
 * TuningPolicy for the contract. The policy is made at the first of these calls, so attributes set
 * later have no effect.
 */
class Tuner : public Object
{
  public:
    /** @return the TypeId */
    static TypeId GetTypeId();

    /** @return N for the first chunk */
    uint32_t GetInitialParallelism();

    /**
     * @param sample what was measured of the chunk just finished
     * @return N for the next chunk
     */
    uint32_t Decide(const ChunkSample& sample);

    /**
     * @param mode name of a policy, see GetTuningModes()
     * @return the TypeId of the tuner with that mode
     */
    static TypeId FindType(const std::string& mode);

  protected:
    /** @return the mode, a name of GetTuningModes() */
    virtual std::string GetMode() const = 0;

    /** @return the numbers of the mode, as the attributes say */
    virtual TuningParameters GetParameters() const = 0;

  private:
    /** @return the policy, made when first asked for */
    TuningPolicy& GetPolicy();

    std::unique_ptr<TuningPolicy> m_policy; //!< the algorithm
};

/** @ingroup gridftp @brief What all tuners that adapt share: N0, the maximum and eta. */
class AdaptiveTuner : public Tuner
{
  public:
    /** @return the TypeId */
    static TypeId GetTypeId();

  protected:
    TuningParameters GetParameters() const override;

  private:
    uint32_t m_initialParallelism{0}; //!< N0
    uint32_t m_maxParallelism{0};     //!< N is never raised above this
    double m_eta{0};                  //!< share of N W / R that counts as window-limited
};

/** @ingroup gridftp @brief Mode MI (Ito et al., Sec. 3.4, Eq. (3) to (5)). */
class MiTuner : public AdaptiveTuner
{
  public:
    /** @return the TypeId */
    static TypeId GetTypeId();

  protected:
    std::string GetMode() const override;
    TuningParameters GetParameters() const override;

  private:
    double m_gamma{0}; //!< factor of increase
};

/** @ingroup gridftp @brief Mode MI+ (Ito et al., Sec. 3.4, Eq. (6) to (8) and step 5). */
class MiPlusTuner : public MiTuner
{
  public:
    /** @return the TypeId */
    static TypeId GetTypeId();

  protected:
    std::string GetMode() const override;
};

/** @ingroup gridftp @brief Mode AIMD (Ito et al., Sec. 3.4, Eq. (9) to (12)). */
class AimdTuner : public AdaptiveTuner
{
  public:
    /** @return the TypeId */
    static TypeId GetTypeId();

  protected:
    std::string GetMode() const override;
    TuningParameters GetParameters() const override;

  private:
    double m_alpha{0};     //!< connections added
    double m_beta{0};      //!< share taken off
    Rounding m_rounding{}; //!< how N becomes a whole number
};

/** @ingroup gridftp @brief The same parallelism throughout. */
class FixedTuner : public Tuner
{
  public:
    /** @return the TypeId */
    static TypeId GetTypeId();

  protected:
    std::string GetMode() const override;
    TuningParameters GetParameters() const override;

  private:
    uint32_t m_parallelism{0}; //!< N
};

} // namespace ns3::gridftp

#endif // GRIDFTP_TUNER_H
