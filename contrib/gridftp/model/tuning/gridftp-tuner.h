/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_TUNER_H
#define GRIDFTP_TUNER_H

#include "gridftp-tuning-mode.h"

#include "ns3/object-factory.h"
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
 * There is a type for each mode of GetTuningModes(), made of what the tuner declares: mode
 * "mi-plus" is ns3::gridftp::MiPlusTuner, its parameter "max-parallelism" the attribute
 * MaxParallelism. All are objects of this one class, which their TypeId tells apart. The types of
 * this class and of AdaptiveTuner, which has what adaptive modes share, stand for no mode.
 *
 * The client calls GetInitialParallelism() before the first chunk and Decide() after each; see
 * TuningPolicy for the contract. The policy is made at the first of these calls, so attributes set
 * later have no effect.
 */
class Tuner : public Object
{
  public:
    /** @return the TypeId that all tuners come from */
    static TypeId GetTypeId();

    /**
     * @param mode name of a policy, see GetTuningModes()
     * @return the TypeId of the tuner with that mode
     */
    static TypeId FindType(const std::string& mode);

    /**
     * Sets all attributes that the type of a factory has.
     *
     * @param factory with the type of a tuner
     * @param values of the parameters, by their names
     */
    static void SetValues(ObjectFactory& factory, const NamedValues& values);

    /** @param context what it has beside its attributes, as a program that it asks; before all of
     * the following */
    void SetContext(const TuningContext& context);

    /** @param pair of stripes, its index, where each has a policy: a session may need several
     * @return a policy of its own, as its attributes say, or why there is none */
    Expected<std::unique_ptr<TuningPolicy>> MakePolicy(int64_t pair) const;

    /** Makes the policy, which GetInitialParallelism() does else. @return nothing, or why there is
     * none, and there may be one only of a mode that asks a program */
    Done Begin();

    /** It is not asked any more. */
    void End();

    /** @return why it cannot decide, for a person; empty: it can */
    std::string GetFailure() const;

    /** @return N for the first chunk */
    uint32_t GetInitialParallelism();

    /**
     * @param sample what was measured of the chunk just finished
     * @return N for the next chunk
     */
    uint32_t Decide(const ChunkSample& sample);

  private:
    friend class TunerAccessor;

    /** @return the policy, made when first asked for */
    TuningPolicy& GetPolicy();

    TuningContext m_context;                //!< what it has beside its attributes
    std::string m_list;                     //!< of a tuner by hand: N of each chunk
    NamedValues m_values;                   //!< of the mode's parameters, as the attributes say
    std::unique_ptr<TuningPolicy> m_policy; //!< the algorithm
};

} // namespace ns3::gridftp

#endif // GRIDFTP_TUNER_H
