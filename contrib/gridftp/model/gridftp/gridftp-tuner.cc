/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-tuner.h"

#include "gridftp-option-attribute.h"

#include "ns3/abort.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/uinteger.h"

#include <array>

namespace ns3::gridftp
{

NS_OBJECT_ENSURE_REGISTERED(Tuner);
NS_OBJECT_ENSURE_REGISTERED(AdaptiveTuner);
NS_OBJECT_ENSURE_REGISTERED(MiTuner);
NS_OBJECT_ENSURE_REGISTERED(MiPlusTuner);
NS_OBJECT_ENSURE_REGISTERED(AimdTuner);
NS_OBJECT_ENSURE_REGISTERED(FixedTuner);

TypeId
Tuner::GetTypeId()
{
    static TypeId tid = TypeId("ns3::gridftp::Tuner").SetParent<Object>().SetGroupName("GridFtp");
    return tid;
}

TuningPolicy&
Tuner::GetPolicy()
{
    if (!m_policy)
    {
        auto made = MakeTuningPolicy(GetMode(), GetParameters());
        NS_ABORT_MSG_UNLESS(made, "tuner " << GetMode() << ": " << made.GetError().message);
        m_policy = std::move(*made);
    }
    return *m_policy;
}

uint32_t
Tuner::GetInitialParallelism()
{
    return GetPolicy().GetInitialParallelism();
}

uint32_t
Tuner::Decide(const ChunkSample& sample)
{
    return GetPolicy().Decide(sample);
}

TypeId
Tuner::FindType(const std::string& mode)
{
    /** A mode and the class that stands for it. */
    struct Entry
    {
        std::string_view mode; //!< name of the policy
        TypeId (*type)();      //!< its tuner
    };

    static constexpr std::array ENTRIES{
        Entry{"mi", &MiTuner::GetTypeId},
        Entry{"mi-plus", &MiPlusTuner::GetTypeId},
        Entry{"aimd", &AimdTuner::GetTypeId},
        Entry{"fixed", &FixedTuner::GetTypeId},
    };
    for (const auto& entry : ENTRIES)
    {
        if (entry.mode == mode)
        {
            return entry.type();
        }
    }
    NS_ABORT_MSG("no tuner for mode " << mode);
    return Tuner::GetTypeId();
}

TypeId
AdaptiveTuner::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::gridftp::AdaptiveTuner")
            .SetParent<Tuner>()
            .SetGroupName("GridFtp")
            .AddAttribute("InitialParallelism",
                          OptionHelp("initial-parallelism"),
                          OptionUinteger("initial-parallelism"),
                          MakeUintegerAccessor(&AdaptiveTuner::m_initialParallelism),
                          OptionUintegerChecker("initial-parallelism"))
            .AddAttribute("MaxParallelism",
                          OptionHelp("max-parallelism"),
                          OptionUinteger("max-parallelism"),
                          MakeUintegerAccessor(&AdaptiveTuner::m_maxParallelism),
                          OptionUintegerChecker("max-parallelism"))
            .AddAttribute("Eta",
                          OptionHelp("eta"),
                          OptionDouble("eta"),
                          MakeDoubleAccessor(&AdaptiveTuner::m_eta),
                          OptionDoubleChecker("eta"));
    return tid;
}

TuningParameters
AdaptiveTuner::GetParameters() const
{
    TuningParameters parameters;
    parameters.initialParallelism = m_initialParallelism;
    parameters.maxParallelism = m_maxParallelism;
    parameters.eta = m_eta;
    return parameters;
}

TypeId
MiTuner::GetTypeId()
{
    static TypeId tid = TypeId("ns3::gridftp::MiTuner")
                            .SetParent<AdaptiveTuner>()
                            .SetGroupName("GridFtp")
                            .AddConstructor<MiTuner>()
                            .AddAttribute("Gamma",
                                          OptionHelp("gamma"),
                                          OptionDouble("gamma"),
                                          MakeDoubleAccessor(&MiTuner::m_gamma),
                                          OptionDoubleChecker("gamma"));
    return tid;
}

std::string
MiTuner::GetMode() const
{
    return "mi";
}

TuningParameters
MiTuner::GetParameters() const
{
    auto parameters = AdaptiveTuner::GetParameters();
    parameters.gamma = m_gamma;
    return parameters;
}

TypeId
MiPlusTuner::GetTypeId()
{
    static TypeId tid = TypeId("ns3::gridftp::MiPlusTuner")
                            .SetParent<MiTuner>()
                            .SetGroupName("GridFtp")
                            .AddConstructor<MiPlusTuner>();
    return tid;
}

std::string
MiPlusTuner::GetMode() const
{
    return "mi-plus";
}

TypeId
AimdTuner::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::gridftp::AimdTuner")
            .SetParent<AdaptiveTuner>()
            .SetGroupName("GridFtp")
            .AddConstructor<AimdTuner>()
            .AddAttribute("Alpha",
                          OptionHelp("alpha"),
                          OptionDouble("alpha"),
                          MakeDoubleAccessor(&AimdTuner::m_alpha),
                          OptionDoubleChecker("alpha"))
            .AddAttribute("Beta",
                          OptionHelp("beta"),
                          OptionDouble("beta"),
                          MakeDoubleAccessor(&AimdTuner::m_beta),
                          OptionDoubleChecker("beta"))
            .AddAttribute("AimdRounding",
                          OptionHelp("aimd-rounding"),
                          EnumValue(Rounding::DOWN),
                          MakeEnumAccessor<Rounding>(&AimdTuner::m_rounding),
                          MakeEnumChecker(Rounding::DOWN, "down", Rounding::UP, "up"));
    return tid;
}

std::string
AimdTuner::GetMode() const
{
    return "aimd";
}

TuningParameters
AimdTuner::GetParameters() const
{
    auto parameters = AdaptiveTuner::GetParameters();
    parameters.alpha = m_alpha;
    parameters.beta = m_beta;
    parameters.rounding = m_rounding;
    return parameters;
}

TypeId
FixedTuner::GetTypeId()
{
    static TypeId tid = TypeId("ns3::gridftp::FixedTuner")
                            .SetParent<Tuner>()
                            .SetGroupName("GridFtp")
                            .AddConstructor<FixedTuner>()
                            .AddAttribute("Parallelism",
                                          OptionHelp("parallelism"),
                                          OptionUinteger("parallelism"),
                                          MakeUintegerAccessor(&FixedTuner::m_parallelism),
                                          OptionUintegerChecker("parallelism"));
    return tid;
}

std::string
FixedTuner::GetMode() const
{
    return "fixed";
}

TuningParameters
FixedTuner::GetParameters() const
{
    TuningParameters parameters;
    parameters.parallelism = m_parallelism;
    return parameters;
}

} // namespace ns3::gridftp
