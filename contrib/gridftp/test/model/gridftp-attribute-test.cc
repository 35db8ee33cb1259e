/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-model-fixture.h"
#include "gridftp-test-cases.h"

#include "ns3/double.h"
#include "ns3/gridftp-data-transfer-process.h"
#include "ns3/gridftp-option-table.h"
#include "ns3/gridftp-tcp-socket-reno.h"
#include "ns3/gridftp-tuner.h"
#include "ns3/object-factory.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cctype>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// Attributes that are no option of a session.
const std::set<std::string> NO_OPTION{"Remote",
                                      "Sender",
                                      "ControlTcp",
                                      "DataTcp",
                                      "Tuner",
                                      "Port",
                                      "MarkerInterval",
                                      "RangeMarkers",
                                      "SendingStripes",
                                      "ReceivingStripes"};

/// Options of a session that are no attribute but a choice of type, ns3::Application's own, or of
/// the network.
const std::set<std::string> NO_ATTRIBUTE{"file-directions",
                                         "file-sizes",
                                         "file-size-spread",
                                         "server-host",
                                         "server-memory",
                                         "mode",
                                         "tcp",
                                         "start",
                                         "tool",
                                         "client-delay",
                                         "restart",
                                         "chunk-parallelism",
                                         "external-command",
                                         "external-timeout",
                                         "send-pool",
                                         "stripes",
                                         "cpu-rate",
                                         "protection",
                                         "integrity-rate",
                                         "confidentiality-rate",
                                         "checksum",
                                         "checksum-rate"};

/// Attributes whose help is not the option's.
const std::set<std::string> OWN_HELP{"ns3::gridftp::Server::FileSize"};

/// Attributes that may be 0, too, for no limit: where nothing fails a scenario has none.
const std::set<std::string> MAY_BE_ZERO{"StallTimeout"};

/// @param name like "FileSize" @return like "file-size"
std::string
ToOption(const std::string& name)
{
    std::string option;
    for (const char c : name)
    {
        const auto letter = static_cast<unsigned char>(c);
        option += std::isupper(letter) && !option.empty() ? "-" : "";
        option += static_cast<char>(std::tolower(letter));
    }
    return option;
}

/// @return the types whose attributes are made from the option table
std::vector<TypeId>
GetTypes()
{
    std::vector<TypeId> types{BufferedApplication::GetTypeId(),
                              SecuredApplication::GetTypeId(),
                              Client::GetTypeId(),
                              Server::GetTypeId(),
                              DataTransferProcess::GetTypeId(),
                              TypeId::LookupByName("ns3::gridftp::AdaptiveTuner")};
    for (const auto& mode : GetTuningModes())
    {
        types.push_back(Tuner::FindType(std::string(mode.name)));
    }
    return types;
}

/// Attributes and option table say the same.
class AttributeTest : public TestCase
{
  public:
    AttributeTest()
        : TestCase("attributes: as in the option table")
    {
    }

  private:
    void DoRun() override
    {
        std::set<std::string> found;
        for (const auto& type : GetTypes())
        {
            for (size_t i = 0; i < type.GetAttributeN(); ++i)
            {
                const auto attribute = type.GetAttribute(i);
                NS_TEST_EXPECT_MSG_EQ(attribute.help.empty(), false, attribute.name << " has help");
                if (NO_OPTION.contains(attribute.name))
                {
                    continue;
                }
                const auto name = ToOption(attribute.name);
                const Option* option = FindOption(GetOptionTable(), name);
                GRIDFTP_TEST_REQUIRE_EQ(bool(option), true, name << " is an option");
                found.insert(name);
                const std::string full = type.GetName() + "::" + attribute.name;
                if (!OWN_HELP.contains(full))
                {
                    // The unit may follow, which an option shows elsewhere.
                    NS_TEST_EXPECT_MSG_EQ(attribute.help.starts_with(option->help), true, full);
                }
                CheckValues(full, attribute, *option);
            }
        }
        for (const auto& option : GetOptionTable())
        {
            const std::string name(option.name);
            // Storage is of a host, see HostStorage
            const bool isStorage = name.starts_with("source") || name.starts_with("sink");
            // What is made of a file is given with SetBuffers()
            const bool isProcessing = name.starts_with("processing");
            // What a tool is told goes to its ends, which are no ns-3 objects
            const bool isOfTool = name.starts_with("tool-");
            // What a host costs is of its node and device
            const bool isOfHost = name.starts_with("sender-") || name.starts_with("receiver-");
            if (option.scope == OptionScope::SESSION && !NO_ATTRIBUTE.contains(name) &&
                !isStorage && !isProcessing && !isOfTool && !isOfHost)
            {
                NS_TEST_EXPECT_MSG_EQ(found.contains(name), true, name << " is an attribute");
            }
        }
    }

    /**
     * @param name of the attribute
     * @param attribute what the type says
     * @param option what the table says
     */
    void CheckValues(const std::string& name,
                     const TypeId::AttributeInformation& attribute,
                     const Option& option)
    {
        const auto standard = option.Parse(option.defaultText);
        GRIDFTP_TEST_REQUIRE_EQ(bool(standard), true, name << " has a default");
        const auto text = attribute.initialValue->SerializeToString(attribute.checker);
        const auto accepts = [&attribute](const AttributeValue& value) {
            return attribute.checker->Check(value);
        };
        if (option.kind == OptionKind::CHOICE)
        {
            NS_TEST_EXPECT_MSG_EQ(text, std::string(option.defaultText), name);
            for (const auto choice : option.choices)
            {
                NS_TEST_EXPECT_MSG_EQ(
                    bool(attribute.checker->CreateValidValue(StringValue(std::string(choice)))),
                    true,
                    name << " " << choice);
            }
        }
        else if (option.kind == OptionKind::NAME)
        {
            NS_TEST_EXPECT_MSG_EQ(text, std::string(option.defaultText), name);
        }
        else if (option.dimension == Dimension::RATE)
        {
            const auto rate = static_cast<int64_t>(DataRate(text).GetBitRate());
            NS_TEST_EXPECT_MSG_EQ(rate, std::get<int64_t>(*standard), name);
        }
        else if (option.kind == OptionKind::REAL)
        {
            const double low = std::get<double>(option.minimum);
            const double high = std::get<double>(option.maximum);
            NS_TEST_EXPECT_MSG_EQ(std::stod(text), std::get<double>(*standard), name);
            NS_TEST_EXPECT_MSG_EQ(accepts(DoubleValue(low)), !option.openMinimum, name);
            NS_TEST_EXPECT_MSG_EQ(accepts(DoubleValue(high)), !option.openMaximum, name);
            NS_TEST_EXPECT_MSG_EQ(accepts(DoubleValue(low + 1e-9)), true, name);
            NS_TEST_EXPECT_MSG_EQ(accepts(DoubleValue(high - 1e-9)), true, name);
            NS_TEST_EXPECT_MSG_EQ(accepts(DoubleValue(low - 1e-9)), false, name);
            NS_TEST_EXPECT_MSG_EQ(accepts(DoubleValue(high + 1e-9)), false, name);
        }
        else if (option.dimension == Dimension::TIME)
        {
            const int64_t low = std::get<int64_t>(option.minimum);
            const int64_t high = std::get<int64_t>(option.maximum);
            NS_TEST_EXPECT_MSG_EQ(Time(text).GetNanoSeconds(), std::get<int64_t>(*standard), name);
            NS_TEST_EXPECT_MSG_EQ(accepts(TimeValue(NanoSeconds(low))), true, name);
            NS_TEST_EXPECT_MSG_EQ(accepts(TimeValue(NanoSeconds(high))), true, name);
            const bool mayBeZero = MAY_BE_ZERO.contains(attribute.name);
            const int64_t least = mayBeZero ? 0 : low;
            NS_TEST_EXPECT_MSG_EQ(accepts(TimeValue(NanoSeconds(least))), true, name);
            NS_TEST_EXPECT_MSG_EQ(accepts(TimeValue(NanoSeconds(least - 1))), false, name);
            NS_TEST_EXPECT_MSG_EQ(accepts(TimeValue(NanoSeconds(high + 1))), false, name);
        }
        else
        {
            const auto low = static_cast<uint64_t>(std::get<int64_t>(option.minimum));
            const auto high = static_cast<uint64_t>(std::get<int64_t>(option.maximum));
            NS_TEST_EXPECT_MSG_EQ(std::stol(text), std::get<int64_t>(*standard), name);
            NS_TEST_EXPECT_MSG_EQ(accepts(UintegerValue(low)), true, name);
            NS_TEST_EXPECT_MSG_EQ(accepts(UintegerValue(high)), true, name);
            NS_TEST_EXPECT_MSG_EQ(accepts(UintegerValue(low - 1)), false, name); // or 2^64 - 1
            NS_TEST_EXPECT_MSG_EQ(accepts(UintegerValue(high + 1)), false, name);
        }
    }
};

/// There is a type for each mode, whose attributes reach the policy and can be read back.
class TunerTypeTest : public TestCase
{
  public:
    TunerTypeTest()
        : TestCase("attributes: a type for each tuner")
    {
    }

  private:
    void DoRun() override
    {
        const auto defaults = MakeDefaultRequest().scenario.sessions.front().tuning;
        for (const auto& mode : GetTuningModes())
        {
            ObjectFactory factory;
            factory.SetTypeId(Tuner::FindType(std::string(mode.name)));
            const auto policy = MakeTuningPolicy(mode.name, defaults);
            if (mode.IsExternal())
            {
                const auto begun = factory.Create<Tuner>()->Begin();
                NS_TEST_ASSERT_MSG_EQ(static_cast<bool>(begun) || policy,
                                      false,
                                      "nothing starts one");
                NS_TEST_EXPECT_MSG_EQ(begun.GetError().message, policy.GetError().message, "");
                continue;
            }
            NS_TEST_EXPECT_MSG_EQ(factory.Create<Tuner>()->GetInitialParallelism(),
                                  (*policy)->GetInitialParallelism(),
                                  mode.name);
            NamedValues values;
            for (const auto* parameter : mode.parameters)
            {
                const bool words = !parameter->choices.empty();
                values.Set(parameter->name,
                           words                  ? 1
                           : parameter->IsWhole() ? 7
                                                  : (parameter->maximum + parameter->minimum) / 2);
            }
            Tuner::SetValues(factory, values);
            if (mode.need == TuningNeed::LIST)
            {
                factory.Set("ChunkParallelism", StringValue("7:3"));
            }
            const auto tuner = factory.Create<Tuner>();
            NS_TEST_EXPECT_MSG_EQ(tuner->GetInitialParallelism(), 7, mode.name);
        }
        ExpectParent("Mi", "Adaptive");
        ExpectParent("MiPlus", "Mi");
        ExpectParent("Aimd", "Adaptive");
        ExpectParent("Fixed", "");
        ExpectParent("Adaptive", "");
        ObjectFactory factory("ns3::gridftp::AimdTuner",
                              "Beta",
                              DoubleValue(0.25),
                              "AimdRounding",
                              StringValue("up"));
        const auto tuner = factory.Create<Tuner>();
        for (const auto& [name, text] :
             std::map<std::string, std::string>{{"Beta", "0.25"},
                                                {"AimdRounding", "up"},
                                                {"Alpha", "1"},
                                                {"MaxParallelism", "1024"}})
        {
            StringValue value;
            tuner->GetAttribute(name, value);
            NS_TEST_EXPECT_MSG_EQ(value.Get(), text, name);
        }
        NS_TEST_EXPECT_MSG_EQ(tuner->SetAttributeFailSafe("Beta", DoubleValue(1)), false, "bound");
        NS_TEST_EXPECT_MSG_EQ(tuner->SetAttributeFailSafe("Beta", UintegerValue(1)), false, "kind");
        // 7 connections of which the network limits each: 7 (1 - 0.25) = 5.25, rounded up.
        const ChunkSample sample{.bytes = 1000,
                                 .fullBytes = 1000,
                                 .durationS = 1,
                                 .rttS = 0.001,
                                 .windowBytes = 65536,
                                 .segmentBytes = 1460,
                                 .parallelism = 7};
        NS_TEST_EXPECT_MSG_EQ(tuner->Decide(sample), 6, "the policy has the attributes");
    }

    /// @param type like "Mi" @param parent like "Adaptive"
    void ExpectParent(const std::string& type, const std::string& parent)
    {
        const std::string space = "ns3::gridftp::";
        NS_TEST_EXPECT_MSG_EQ(TypeId::LookupByName(space + type + "Tuner").GetParent().GetName(),
                              space + parent + "Tuner",
                              type);
    }
};

/// What is no option has a default and bounds of its own.
class OtherAttributeTest : public TestCase
{
  public:
    OtherAttributeTest()
        : TestCase("attributes: the others")
    {
    }

  private:
    void DoRun() override
    {
        auto client = CreateObject<Client>();
        auto server = CreateObject<Server>();
        for (const Ptr<Object>& object : {Ptr<Object>(client), Ptr<Object>(server)})
        {
            TypeIdValue tcp;
            object->GetAttribute("DataTcp", tcp);
            NS_TEST_EXPECT_MSG_EQ(tcp.Get(), TcpSocketReno::GetTypeId(), "--tcp=reno");
            object->GetAttribute("ControlTcp", tcp);
            NS_TEST_EXPECT_MSG_EQ(tcp.Get().GetName(), "ns3::TcpNewReno", "control");
        }
        UintegerValue port;
        server->GetAttribute("Port", port);
        NS_TEST_EXPECT_MSG_EQ(port.Get(), 2811, "registered port");
        NS_TEST_EXPECT_MSG_EQ(server->SetAttributeFailSafe("Port", UintegerValue(0)), false, "0");
        NS_TEST_EXPECT_MSG_EQ(server->SetAttributeFailSafe("Port", UintegerValue(65'536)),
                              false,
                              "65536");
        TimeValue interval;
        server->GetAttribute("MarkerInterval", interval);
        NS_TEST_EXPECT_MSG_EQ(interval.Get(), Seconds(5), "markers");
        NS_TEST_EXPECT_MSG_EQ(
            server->SetAttributeFailSafe("MarkerInterval", TimeValue(NanoSeconds(-1))),
            false,
            "negative");
        NS_TEST_EXPECT_MSG_EQ(client->SetAttributeFailSafe("ChunkSize", UintegerValue(0)),
                              false,
                              "refused when set");
        NS_TEST_EXPECT_MSG_EQ(client->SetAttributeFailSafe("Direction", StringValue("download")),
                              true,
                              "a direction");
        client->Dispose();
        server->Dispose();
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new AttributeTest, new TunerTypeTest, new OtherAttributeTest};
});

} // namespace ns3::gridftp
