/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-tuner.h"

#include "gridftp-option-attribute.h"
#include "gridftp-tuning-by-hand.h"

#include "ns3/abort.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

namespace ns3::gridftp
{

NS_OBJECT_ENSURE_REGISTERED(Tuner);

/**
 * Reads and writes a parameter of a tuner as an attribute; ns-3's own accessors know members only.
 */
class TunerAccessor : public AttributeAccessor
{
  public:
    /** @param parameter that the attribute stands for */
    explicit TunerAccessor(const TuningParameter& parameter)
        : m_parameter(parameter)
    {
    }

    /** @param parameter of a tuner @param value of it @return the same as ns-3 has it */
    static Ptr<AttributeValue> MakeValue(const TuningParameter& parameter, double value)
    {
        if (!parameter.choices.empty())
        {
            return Create<EnumValue<int>>(static_cast<int>(value));
        }
        if (parameter.IsWhole())
        {
            return Create<UintegerValue>(static_cast<uint64_t>(value));
        }
        return Create<DoubleValue>(value);
    }

    bool Set(ObjectBase* object, const AttributeValue& value) const override
    {
        auto* tuner = dynamic_cast<Tuner*>(object);
        if (!tuner)
        {
            return false;
        }
        double number = 0;
        if (const auto* real = dynamic_cast<const DoubleValue*>(&value))
        {
            number = real->Get();
        }
        else if (const auto* whole = dynamic_cast<const UintegerValue*>(&value))
        {
            number = static_cast<double>(whole->Get());
        }
        else if (const auto* word = dynamic_cast<const EnumValue<int>*>(&value))
        {
            number = word->Get();
        }
        else
        {
            return false;
        }
        tuner->m_values.Set(m_parameter.name, number);
        return true;
    }

    bool Get(const ObjectBase* object, AttributeValue& attribute) const override
    {
        const auto* tuner = dynamic_cast<const Tuner*>(object);
        if (!tuner)
        {
            return false;
        }
        const auto value = MakeValue(m_parameter, m_parameter.Of(tuner->m_values));
        return MakeChecker(m_parameter)->Copy(*value, attribute);
    }

    bool HasGetter() const override
    {
        return true;
    }

    bool HasSetter() const override
    {
        return true;
    }

    /** @param parameter of a tuner @return what is allowed, as its option has it */
    static Ptr<const AttributeChecker> MakeChecker(const TuningParameter& parameter)
    {
        if (parameter.choices.empty())
        {
            return parameter.IsWhole() ? OptionUintegerChecker(parameter.name)
                                       : OptionDoubleChecker(parameter.name);
        }
        const auto checker = Create<EnumChecker<int>>();
        for (size_t i = 0; i < parameter.choices.size(); ++i)
        {
            checker->Add(static_cast<int>(i), std::string(parameter.choices[i]));
        }
        return checker;
    }

    /** @param type of a tuner by hand, which gets its attribute */
    static void AddList(TypeId type)
    {
        type.AddAttribute("ChunkParallelism",
                          OptionHelp(CHUNK_PARALLELISM),
                          StringValue(GetDefaultText(CHUNK_PARALLELISM)),
                          MakeStringAccessor(&Tuner::m_list),
                          MakeStringChecker());
    }

  private:
    const TuningParameter& m_parameter; //!< what the attribute stands for
};

namespace
{

/** What AdaptiveTuner has; a type whose mode takes all of it has that one for a parent. */
constexpr std::array ADAPTIVE{&INITIAL_PARALLELISM, &MAX_PARALLELISM, &ETA};

/** @param words like "max-parallelism" @return like "MaxParallelism" */
std::string
CamelCase(std::string_view words)
{
    std::string text;
    bool begins = true;
    for (const char c : words)
    {
        if (c != '-')
        {
            text += begins ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
        }
        begins = c == '-';
    }
    return text;
}

/** @param name of a type @return whether it has the attribute, itself or by its parents */
bool
HasAttribute(TypeId type, const std::string& name)
{
    TypeId::AttributeInformation info;
    return type.LookupAttributeByName(name, &info);
}

/** @param parameter of a tuner @return the default of its option */
double
GetDefault(const TuningParameter& parameter)
{
    const Option& option = GetOption(parameter.name);
    const auto value = option.Parse(option.defaultText);
    const auto* whole = std::get_if<int64_t>(&*value);
    return whole ? static_cast<double>(*whole) : *std::get_if<double>(&*value);
}

/** @param type that gets attributes for those parameters that its parents do not have */
void
AddAttributes(TypeId type, std::span<const TuningParameter* const> parameters)
{
    for (const auto* parameter : parameters)
    {
        const std::string name = CamelCase(parameter->name);
        if (!HasAttribute(type, name))
        {
            type.AddAttribute(name,
                              OptionHelp(parameter->name),
                              *TunerAccessor::MakeValue(*parameter, GetDefault(*parameter)),
                              Create<TunerAccessor>(*parameter),
                              TunerAccessor::MakeChecker(*parameter));
        }
    }
}

/** @return the TypeId of what adaptive modes share */
TypeId
GetAdaptiveType()
{
    static const TypeId type = [] {
        TypeId made("ns3::gridftp::AdaptiveTuner");
        made.SetParent<Tuner>().SetGroupName("GridFtp");
        AddAttributes(made, ADAPTIVE);
        return made;
    }();
    return type;
}

/** @param mode any @return the TypeId that its own comes from */
TypeId
GetParentType(const TuningMode& mode)
{
    if (!mode.refines.empty())
    {
        return TypeId::LookupByName("ns3::gridftp::" + CamelCase(mode.refines) + "Tuner");
    }
    const bool adapts = std::ranges::all_of(ADAPTIVE, [&mode](const TuningParameter* parameter) {
        return mode.Takes(*parameter);
    });
    return adapts ? GetAdaptiveType() : Tuner::GetTypeId();
}

/** A mode and its type. */
struct ModeType
{
    std::string_view mode; //!< name of the mode
    TypeId type;           //!< its tuner
};

/** @return the types of all modes, made when first asked for */
const std::vector<ModeType>&
GetModeTypes()
{
    static const std::vector<ModeType> types = [] {
        std::vector<ModeType> made;
        for (const auto& mode : GetTuningModes())
        {
            TypeId type("ns3::gridftp::" + CamelCase(mode.name) + "Tuner");
            type.SetParent(GetParentType(mode))
                .SetGroupName("GridFtp")
                .AddConstructor<Tuner>()
                .SetSize(sizeof(Tuner));
            AddAttributes(type, mode.parameters);
            if (mode.need == TuningNeed::LIST)
            {
                TunerAccessor::AddList(type);
            }
            made.push_back({mode.name, type});
        }
        return made;
    }();
    return types;
}

/** NS_OBJECT_ENSURE_REGISTERED for the types that are made in a loop. */
[[maybe_unused]] const bool g_registered = !GetModeTypes().empty();

} // namespace

TypeId
Tuner::GetTypeId()
{
    static TypeId tid = TypeId("ns3::gridftp::Tuner").SetParent<Object>().SetGroupName("GridFtp");
    return tid;
}

TypeId
Tuner::FindType(const std::string& mode)
{
    const auto& types = GetModeTypes();
    const auto it = std::ranges::find(types, mode, &ModeType::mode);
    NS_ABORT_MSG_IF(it == types.end(), "no tuner for mode " << mode);
    return it->type;
}

void
Tuner::SetValues(ObjectFactory& factory, const NamedValues& values)
{
    const auto& types = GetModeTypes();
    const auto it = std::ranges::find(types, factory.GetTypeId(), &ModeType::type);
    NS_ABORT_MSG_IF(it == types.end(), factory.GetTypeId().GetName() << " is no tuner with a mode");
    for (const auto* parameter : FindTuningMode(it->mode)->parameters)
    {
        factory.Set(CamelCase(parameter->name),
                    *TunerAccessor::MakeValue(*parameter, parameter->Of(values)));
    }
}

void
Tuner::SetContext(const TuningContext& context)
{
    m_context = context;
}

Expected<std::unique_ptr<TuningPolicy>>
Tuner::MakePolicy(int64_t pair) const
{
    const auto& types = GetModeTypes();
    const auto it = std::ranges::find(types, GetInstanceTypeId(), &ModeType::type);
    NS_ABORT_MSG_IF(it == types.end(), GetInstanceTypeId().GetName() << " is no tuner with a mode");
    TuningContext context = m_context;
    context.terms.pair = pair;
    context.chunkParallelism = context.chunkParallelism.empty() ? m_list : context.chunkParallelism;
    return MakeTuningPolicy(it->mode, m_values, context);
}

Done
Tuner::Begin()
{
    if (!m_policy)
    {
        auto made = MakePolicy(0);
        if (!made)
        {
            return made.GetError();
        }
        m_policy = std::move(*made);
    }
    return std::monostate{};
}

void
Tuner::End()
{
    if (m_policy)
    {
        m_policy->End();
    }
}

std::string
Tuner::GetFailure() const
{
    return m_policy ? m_policy->GetFailure() : "";
}

TuningPolicy&
Tuner::GetPolicy()
{
    const Done begun = Begin();
    NS_ABORT_MSG_UNLESS(begun, "tuner: " << begun.GetError().message);
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

} // namespace ns3::gridftp
