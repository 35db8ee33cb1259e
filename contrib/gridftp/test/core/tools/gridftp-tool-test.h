/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_TOOL_TEST_H
#define GRIDFTP_TOOL_TEST_H

#include "gridftp-test-cases.h"
#include "gridftp-tool-fates.h"
#include "gridftp-tool-kind.h"

#include "ns3/abort.h"
#include "ns3/test.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <queue>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * What the tests of tools share: both ends, joined by a made-up path with rate, delay, queue, and a
 * list of what happens to which datagram. Every datagram is written as bytes and read again.
 */

namespace ns3::gridftp
{

/// Both ends of a tool and what is between them.
class MadeUpPath
{
  public:
    /// What a test says of it.
    struct Setting
    {
        std::string_view tool{};                                           //!< --tool
        std::vector<std::pair<std::string_view, std::string_view>> said{}; //!< its parameters
        uint64_t bytes{1};                                                 //!< of the file
        MadeUpLink there{};                                                //!< to the receiver
        MadeUpLink back{};                                                 //!< to the sender
        std::vector<Fate> fatesThere{};                                    //!< of datagrams
        std::vector<Fate> fatesBack{};                                     //!< of datagrams
        int64_t linkRateBps{1'000'000'000'000};                            //!< of the sender
        uint64_t randomKey{1};                                             //!< of random numbers
        BlockStages source{}; //!< what blocks pass that are read
        BlockStages sink{};   //!< what those pass that are written
    };

    /// @param setting of it
    explicit MadeUpPath(Setting setting)
        : m_setting(std::move(setting)),
          m_kind(FindToolKind(m_setting.tool)),
          m_sides{Side(*this, true), Side(*this, false)}
    {
        ToolTransfer transfer{.values = MakeToolValues(*m_kind, m_setting.said),
                              .bytes = m_setting.bytes,
                              .linkRateBps = m_setting.linkRateBps,
                              .linkExtraBytes = DATAGRAM_HEADER_BYTES};
        transfer.randomKey = m_setting.randomKey;
        transfer.source = m_setting.source;
        transfer.sink = m_setting.sink;
        m_sides[SENDER].end = m_kind->makeSender(transfer, m_sides[SENDER]);
        m_sides[RECEIVER].end = m_kind->makeReceiver(transfer, m_sides[RECEIVER]);
        m_sides[SENDER].link = m_setting.there;
        m_sides[SENDER].fates = m_setting.fatesThere;
        m_sides[RECEIVER].link = m_setting.back;
        m_sides[RECEIVER].fates = m_setting.fatesBack;
        for (auto& side : m_sides)
        {
            side.met.resize(side.fates.size(), 0);
        }
    }

    MadeUpPath(const MadeUpPath&) = delete;
    MadeUpPath& operator=(const MadeUpPath&) = delete;

    /// Starts both ends, once. @param until when to stop, ns @return whether it is over by then
    bool Run(Nanoseconds until = 3'600'000'000'000)
    {
        if (!m_isStarted)
        {
            m_isStarted = true;
            m_sides[RECEIVER].end->Start(0);
            m_sides[SENDER].end->Start(0);
        }
        while (!m_events.empty() && m_events.top().at <= until && !m_finished)
        {
            const Event event = m_events.top();
            m_events.pop();
            m_now = event.at;
            event.act();
        }
        return m_finished.has_value();
    }

    /// @return when it was over, ns; 0: it is not
    Nanoseconds GetEnd() const
    {
        return m_finished ? m_finished->first : 0;
    }

    /// @return when the file was stored, ns, 0 if the receiver has not reported it
    Nanoseconds GetStored() const
    {
        return m_storedNs;
    }

    /// Goes on behind the end, as a host does whose receiver is still storing. @param until when
    void RunOn(Nanoseconds until)
    {
        while (!m_events.empty() && m_events.top().at <= until)
        {
            const Event event = m_events.top();
            m_events.pop();
            m_now = event.at;
            event.act();
        }
    }

    /// @return why it has failed; empty: it has not
    std::string GetReason() const
    {
        return m_finished ? m_finished->second : "it is not over";
    }

    /// @return whether the receiver has every byte once, and it is over without an error
    bool IsComplete() const
    {
        return m_finished && m_finished->second.empty() &&
               GetReceiver().GetCounts().bytes == m_setting.bytes;
    }

    /// @param isOfSender which end @return bytes that it has written to the TCP connection
    uint64_t GetSaidBytes(bool isOfSender) const
    {
        return m_sides[isOfSender ? SENDER : RECEIVER].saidBytes;
    }

    /// @return the end that sends
    ToolEnd& GetSender() const
    {
        return *m_sides[SENDER].end;
    }

    /// @return the end that receives
    ToolEnd& GetReceiver() const
    {
        return *m_sides[RECEIVER].end;
    }

    /// @return what was sent, in order
    const std::vector<SentDatagram>& GetSent() const
    {
        return m_sent;
    }

    /// @return file data that was sent, in order, as the times and numbers
    std::vector<std::pair<Nanoseconds, uint32_t>> ListData() const
    {
        std::vector<std::pair<Nanoseconds, uint32_t>> found;
        for (const auto& sent : m_sent)
        {
            if (const auto* data = std::get_if<DataDatagram>(&sent.datagram))
            {
                found.emplace_back(sent.at, data->number);
            }
        }
        return found;
    }

    /// @param type of reports @param isOfSender whose @return those, in order, with their times
    std::vector<std::pair<Nanoseconds, ReportDatagram>> ListReports(uint32_t type,
                                                                    bool isOfSender) const
    {
        std::vector<std::pair<Nanoseconds, ReportDatagram>> found;
        for (const auto& sent : m_sent)
        {
            const auto* report = std::get_if<ReportDatagram>(&sent.datagram);
            if (report && report->type == type && sent.isOfSender == isOfSender)
            {
                found.emplace_back(sent.at, *report);
            }
        }
        return found;
    }

    /// Something happens later. @param at when @param act what
    void At(Nanoseconds at, std::function<void()> act)
    {
        m_events.push({at, m_order++, std::move(act)});
    }

    /// A datagram comes that nobody has sent. @param toSender to whom @param at when @param
    /// datagram it
    void Forge(bool toSender, Nanoseconds at, std::variant<DataDatagram, ReportDatagram> datagram)
    {
        At(at,
           [this, toSender, datagram] { Hand(m_sides[toSender ? SENDER : RECEIVER], datagram); });
    }

    /// An end is gone: it is told of nothing any more. @param isSender which @param at when
    void Kill(bool isSender, Nanoseconds at)
    {
        At(at, [this, isSender] { m_sides[isSender ? SENDER : RECEIVER].isDead = true; });
    }

    /// The TCP connection is lost, at both ends. @param at when
    void CutConnection(Nanoseconds at)
    {
        At(at, [this] {
            for (auto& side : m_sides)
            {
                if (!m_finished && !side.isDead)
                {
                    side.end->HandleLost(m_now);
                }
            }
        });
    }

  private:
    static constexpr size_t SENDER = 0;   //!< index of the end that sends
    static constexpr size_t RECEIVER = 1; //!< index of the other one

    /// What happens when.
    struct Event
    {
        Nanoseconds at{0};           //!< when
        uint64_t order{0};           //!< of those at one time
        std::function<void()> act{}; //!< what

        /// @param other event @return whether it is before this one
        bool operator<(const Event& other) const
        {
            return at != other.at ? at > other.at : order > other.order;
        }
    };

    /// An end with its host.
    class Side final : public ToolPort
    {
      public:
        /// @param path that it is of @param isOfSender which end
        Side(MadeUpPath& path, bool isOfSender)
            : m_path(&path),
              m_isOfSender(isOfSender)
        {
        }

        void SendData(Nanoseconds now, const DataDatagram& datagram) override
        {
            m_path->Send(*this, now, datagram);
        }

        void SendReport(Nanoseconds now, ReportDatagram report) override
        {
            m_path->Send(*this, now, std::move(report));
        }

        void SetTimer(uint32_t timer, Nanoseconds at) override
        {
            const uint64_t set = ++m_set[timer];
            if (at == NOT_AT_ALL)
            {
                return;
            }
            NS_ABORT_MSG_IF(at < m_path->m_now, "a timer in the past");
            m_path->At(at, [this, timer, at, set] {
                if (m_set[timer] == set && !isDead)
                {
                    end->HandleTimer(at, timer);
                }
            });
        }

        void Connect(Nanoseconds now) override
        {
            Side& other = m_path->GetOther(*this);
            m_path->At(now + link.delayNs,
                       [&other, this] { other.end->HandleConnected(m_path->m_now); });
            m_path->At(now + link.delayNs + other.link.delayNs,
                       [this] { end->HandleConnected(m_path->m_now); });
        }

        void Say(Nanoseconds now, std::span<const uint8_t> bytes) override
        {
            saidBytes += bytes.size();
            Side& other = m_path->GetOther(*this);
            m_path->At(now + link.delayNs,
                       [&other, this, said = std::vector<uint8_t>(bytes.begin(), bytes.end())] {
                           if (!other.isDead)
                           {
                               other.end->HandleBytes(m_path->m_now, said);
                           }
                       });
        }

        void Finish(Nanoseconds now, const std::string& reason) override
        {
            NS_ABORT_MSG_IF(m_path->m_finished, "it is over twice");
            m_path->m_finished.emplace(now, reason);
        }

        void HandleStored(Nanoseconds now) override
        {
            NS_ABORT_MSG_IF(m_path->m_storedNs != 0, "it is stored twice");
            m_path->m_storedNs = now;
        }

        /// @return whether it is the end that sends
        bool IsOfSender() const
        {
            return m_isOfSender;
        }

        std::unique_ptr<ToolEnd> end;  //!< it
        MadeUpLink link;               //!< what it sends over
        std::vector<Fate> fates;       //!< of what it sends
        std::vector<uint32_t> met;     //!< datagrams that each of them was for
        std::deque<Nanoseconds> queue; //!< when what waits on the link has left it
        bool isDead{false};            //!< it is told of nothing
        uint64_t saidBytes{0};         //!< that it has written to the TCP connection

      private:
        MadeUpPath* m_path;                            //!< that it is of
        bool m_isOfSender;                             //!< else it receives
        std::array<uint64_t, ToolEnd::TIMERS> m_set{}; //!< how often each was set
    };

    /// @param side of the path @return the other one
    Side& GetOther(const Side& side)
    {
        return m_sides[side.IsOfSender() ? RECEIVER : SENDER];
    }

    /// A datagram is sent. @param side of whom @param now time @param datagram it
    void Send(Side& side, Nanoseconds now, std::variant<DataDatagram, ReportDatagram> datagram)
    {
        m_sent.push_back({now, side.IsOfSender(), datagram});
        const size_t index = m_sent.size() - 1;
        std::vector<uint8_t> front = Write(datagram);
        auto size = static_cast<uint32_t>(front.size());
        if (const auto* data = std::get_if<DataDatagram>(&datagram))
        {
            size += data->payload;
        }
        const std::optional<Nanoseconds> left = Transmit(side.link, side.queue, now, size);
        bool isLost = !left || side.link.loss.IsNextLost();
        Nanoseconds later = 0;
        bool isTwice = false;
        for (size_t i = 0; i < side.fates.size(); ++i)
        {
            const Fate& fate = side.fates[i];
            if (!IsFor(fate, datagram) || ++side.met[i] <= fate.skip ||
                side.met[i] > fate.skip + fate.times)
            {
                continue;
            }
            isLost |= fate.kind == Fate::Kind::LOSE;
            isTwice |= fate.kind == Fate::Kind::DUPLICATE;
            later += fate.kind == Fate::Kind::DELAY ? fate.by : 0;
            if (fate.kind == Fate::Kind::TRUNCATE)
            {
                size -= static_cast<uint32_t>(fate.by);
                front.resize(std::min<size_t>(front.size(), size));
            }
        }
        m_sent[index].hasCome = !isLost;
        for (int copy = isLost ? 0 : isTwice ? 2 : 1; copy > 0; --copy)
        {
            At(*left + side.link.delayNs + later, [this, &side, front, size] {
                if (const auto read = m_kind->read(front, size))
                {
                    Hand(GetOther(side), *read);
                }
            });
        }
    }

    /// @param datagram any @return its header, or all of a report
    std::vector<uint8_t> Write(const std::variant<DataDatagram, ReportDatagram>& datagram) const
    {
        std::vector<uint8_t> front;
        if (const auto* data = std::get_if<DataDatagram>(&datagram))
        {
            front.resize(m_kind->dataHeaderBytes);
            m_kind->writeData(*data, front);
            return front;
        }
        const auto& report = std::get<ReportDatagram>(datagram);
        front.resize(m_kind->reportBytes(report));
        m_kind->writeReport(report, front);
        return front;
    }

    /// @param link that a datagram goes over @param queue of it @param now time @param size of its
    /// UDP payload @return when it has left the link; none: the queue is full
    static std::optional<Nanoseconds> Transmit(const MadeUpLink& link,
                                               std::deque<Nanoseconds>& queue,
                                               Nanoseconds now,
                                               uint32_t size)
    {
        if (link.rateBps == 0)
        {
            return now;
        }
        while (!queue.empty() && queue.front() <= now)
        {
            queue.pop_front();
        }
        if (queue.size() > link.queue)
        {
            return std::nullopt;
        }
        const int64_t bits = 8 * (size + DATAGRAM_HEADER_BYTES);
        const Nanoseconds begin = queue.empty() ? now : queue.back();
        queue.push_back(begin + bits * 1'000'000'000 / link.rateBps);
        return queue.back();
    }

    /// @param fate any @param datagram any @return whether it is for this one
    static bool IsFor(const Fate& fate, const std::variant<DataDatagram, ReportDatagram>& datagram)
    {
        if (const auto* data = std::get_if<DataDatagram>(&datagram))
        {
            return !fate.type && (!fate.number || *fate.number == data->number);
        }
        return fate.type && *fate.type == std::get<ReportDatagram>(datagram).type;
    }

    /// @param side that is told @param datagram of this
    void Hand(Side& side, const std::variant<DataDatagram, ReportDatagram>& datagram)
    {
        if (side.isDead)
        {
            return;
        }
        if (const auto* data = std::get_if<DataDatagram>(&datagram))
        {
            return side.end->HandleData(m_now, *data);
        }
        side.end->HandleReport(m_now, std::get<ReportDatagram>(datagram));
    }

    Setting m_setting;                                             //!< of it
    const ToolKind* m_kind;                                        //!< the tool
    std::array<Side, 2> m_sides;                                   //!< both ends
    std::priority_queue<Event> m_events;                           //!< to come
    uint64_t m_order{0};                                           //!< of the next event
    Nanoseconds m_now{0};                                          //!< time
    bool m_isStarted{false};                                       //!< whether the ends are
    Nanoseconds m_storedNs{0};                                     //!< see GetStored()
    std::vector<SentDatagram> m_sent;                              //!< by either
    std::optional<std::pair<Nanoseconds, std::string>> m_finished; //!< when, and why
};

} // namespace ns3::gridftp

#endif // GRIDFTP_TOOL_TEST_H
