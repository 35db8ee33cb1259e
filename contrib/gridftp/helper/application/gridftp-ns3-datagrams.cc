/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-datagram-application.h"
#include "gridftp-ns3-application.h"
#include "gridftp-tool-files.h"
#include "gridftp-tool-transfer.h"

#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <optional>

/**
 * @file
 * @ingroup gridftp
 * A session whose tool moves the file by datagrams: both of its ends.
 */

namespace ns3::gridftp
{

namespace
{

/** @copydoc MakeNs3Datagrams */
class Ns3Datagrams final : public Ns3Application
{
  public:
    /** @param context what it is given */
    explicit Ns3Datagrams(const Ns3ApplicationContext& context)
        : m_observer(context.observer),
          m_spec(&context.scenario->sessions[context.index]),
          m_files(*context.scenario, context.index, context.hosts)
    {
        using Side = DatagramApplication::Side;
        const bool isUpload = m_spec->direction == Direction::UPLOAD;
        const Ns3Host& from = isUpload ? context.client : context.server;
        const Ns3Host& to = isUpload ? context.server : context.client;
        const ToolKind& kind = *FindToolKind(m_spec->tool);
        const ToolTransfer transfer = MakeToolTransfer(*context.scenario, context.index, m_files);
        m_isStored = !kind.storesBehind || !transfer.sink.IsTimed();
        m_receiver->SetStored(DatagramApplication::Told([this] { HandleStored(); }));
        m_sender->SetTransfer(kind, transfer, Side::SENDER);
        m_receiver->SetTransfer(kind, transfer, Side::RECEIVER);
        Simulator::Schedule(NanoSeconds(m_spec->start),
                            &Ns3ApplicationObserver::HandleTransferring,
                            m_observer);
        Install(m_sender, from, to);
        Install(m_receiver, to, from);
        (isUpload ? m_receiver : m_sender)->SetResets(*context.scenario, context.index);
    }

    bool IsAwaited() const override
    {
        return true;
    }

    void AddTo(TransferResult& result) const override
    {
        SessionResult& part = result.sessions.emplace_back();
        part.tool = m_spec->tool;
        part.udp = MakeDatagramResult(m_sender->GetCounts(), m_receiver->GetCounts());
        part.storage = MakeStorageResult(m_files.GetStorage(false), m_files.GetStorage(true));
        part.bytes = m_receiver->GetCounts().bytes;
        part.reason = m_endNs ? m_reason : "not ended";
        const int64_t now = Simulator::Now().GetNanoSeconds();
        if (now >= m_spec->start)
        {
            part.startNs = m_spec->start;
            part.durationNs = m_endNs.value_or(now) - m_spec->start;
        }
    }

  private:
    /** Puts an end on its host. @param end which @param on its host @param peer of the other end */
    void Install(Ptr<DatagramApplication> end, const Ns3Host& on, const Ns3Host& peer)
    {
        end->SetAttribute("Remote", Ipv4AddressValue(peer.address));
        end->SetStartTime(NanoSeconds(m_spec->start));
        end->SetEnded(DatagramApplication::Told([this, end] { HandleEnded(end); }));
        on.node->AddApplication(end);
    }

    /** An end says that the transfer is over. @param end which */
    void HandleEnded(Ptr<DatagramApplication> end)
    {
        if (m_endNs)
        {
            return;
        }
        if (end->GetReason().empty() && !m_isStored)
        {
            m_sent = end;
            return;
        }
        m_endNs = Simulator::Now().GetNanoSeconds();
        m_reason = end->GetReason();
        (end == m_sender ? m_receiver : m_sender)->Stop(!m_reason.empty());
        m_observer->HandlePart(m_receiver->GetCounts().bytes);
        m_observer->HandleEnded();
    }

    /** The file is stored. */
    void HandleStored()
    {
        m_isStored = true;
        if (m_sent)
        {
            HandleEnded(m_sent);
        }
    }

    Ns3ApplicationObserver* m_observer; //!< hears of its course
    const SessionSpec* m_spec;          //!< its part of the scenario
    ToolFiles m_files;                  //!< what reads and writes of the file take
    bool m_isStored{true};              //!< the file is, or the end that says that it is over waits
                                        //!< for that
    Ptr<DatagramApplication> m_sent;    //!< the end that sends, where it is done before that
    std::optional<int64_t> m_endNs;     //!< when it was over
    std::string m_reason;               //!< why it has failed
    Ptr<DatagramApplication> m_sender{CreateObject<DatagramApplication>()};   //!< one end
    Ptr<DatagramApplication> m_receiver{CreateObject<DatagramApplication>()}; //!< the other
};

} // namespace

/** @ingroup gridftp @param context of a session @return both ends of a tool of datagrams */
std::unique_ptr<Ns3Application>
MakeNs3Datagrams(const Ns3ApplicationContext& context)
{
    return std::make_unique<Ns3Datagrams>(context);
}

} // namespace ns3::gridftp
