/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_MEMORY_HOSTS_H
#define GRIDFTP_MEMORY_HOSTS_H

#include "ns3/gridftp-application-host.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * A driver for tests: two hosts in memory, between which everything takes one nanosecond. It writes
 * down what its applications ask for.
 */

namespace ns3::gridftp
{

/// Two hosts whose applications exchange bytes without a network.
class MemoryHosts
{
  public:
    /// @param index 0 or 1 @return the host
    ApplicationHost& GetHost(size_t index)
    {
        return m_hosts[index];
    }

    /// Does everything that is due, until nothing is or a time has come. @param until this time
    void Run(Nanoseconds until = INT64_MAX)
    {
        while (!m_events.empty() && m_events.begin()->first.first <= until)
        {
            const auto first = m_events.begin();
            now = first->first.first;
            const auto act = std::move(first->second);
            m_events.erase(first);
            act();
        }
    }

    /// @return what was asked for since the last call, one item after the other
    std::string Take()
    {
        return std::exchange(m_log, "");
    }

    Nanoseconds now{0}; ///< current time

  private:
    /// One endpoint of a connection.
    struct Stream final : ByteStream
    {
        void Say(Nanoseconds, std::span<const uint8_t> bytes) override
        {
            const std::vector<uint8_t> content(bytes.begin(), bytes.end());
            owner->Later(1, [this, content] {
                if (!peer->user)
                {
                    return;
                }
                terms.hasContent ? peer->user->HandleBytes(owner->now, content)
                                 : peer->user->HandleCount(owner->now, content.size());
            });
        }

        void DropMessages() override
        {
        }

        void Send(Nanoseconds at, StreamSource& source) override
        {
            while (!source.IsExhausted())
            {
                const uint64_t bytes = source.Write(at, 1000);
                owner->Later(1, [this, bytes] {
                    if (peer->user)
                    {
                        peer->user->HandleCount(owner->now, bytes);
                    }
                });
                source.HandleWritten(at);
            }
        }

        void Close(Nanoseconds) override
        {
            owner->Note(name + " closes");
            Leave(StreamLoss::CLOSED);
        }

        void Reset(Nanoseconds) override
        {
            owner->Note(name + " resets");
            Leave(StreamLoss::FAILED);
        }

        ConnectionTotals GetTotals() const override
        {
            return {};
        }

        uint32_t GetLocalAddress() const override
        {
            return 0;
        }

        /// The peer hears of the end. @param loss how
        void Leave(StreamLoss loss)
        {
            user = nullptr;
            owner->Later(1, [this, loss] {
                if (auto* lost = std::exchange(peer->user, nullptr))
                {
                    lost->HandleLost(owner->now, loss);
                }
            });
        }

        MemoryHosts* owner{nullptr}; ///< of it
        std::string name;            ///< host and port
        StreamTerms terms;           ///< of it
        StreamUser* user{nullptr};   ///< of it
        Stream* peer{nullptr};       ///< the other endpoint
    };

    /// A host.
    struct Host final : ApplicationHost
    {
        ByteStream& Connect(Nanoseconds,
                            uint16_t port,
                            const StreamTerms& terms,
                            StreamUser& user) override
        {
            Stream& here = owner->Add(index, port, terms);
            Stream& there = owner->Add(1 - index, port, terms);
            here.user = &user;
            here.peer = &there;
            there.peer = &here;
            owner->Later(1, [this, port, &here, &there] {
                const auto& listeners = owner->m_hosts[1 - index].listeners;
                const auto listener = listeners.find(port);
                auto* accepted = listener == listeners.end()
                                     ? nullptr
                                     : listener->second->HandleAccepted(owner->now, port, there);
                if (accepted)
                {
                    there.user = accepted;
                    return owner->Later(1, [this, &here] {
                        here.user ? here.user->HandleConnected(owner->now) : void();
                    });
                }
                there.Leave(StreamLoss::REFUSED);
            });
            return here;
        }

        uint16_t Listen(Nanoseconds, uint16_t port, const StreamTerms&, ListenUser& user) override
        {
            const uint16_t taken = port > 0 ? port : nextPort++;
            listeners[taken] = &user;
            return taken;
        }

        void StopListening() override
        {
            listeners.clear();
        }

        void Schedule(Nanoseconds, Nanoseconds at, EventTarget& target, uint32_t id) override
        {
            owner->Later(at - owner->now,
                         [this, &target, id] { target.HandleEvent(owner->now, id); });
        }

        void ScheduleWork(Nanoseconds from,
                          Nanoseconds at,
                          EventTarget& target,
                          uint32_t id) override
        {
            Schedule(from, at, target, id);
        }

        /// @param both hosts @param which of them
        Host(MemoryHosts& both, size_t which)
            : owner(&both),
              index(which)
        {
        }

        MemoryHosts* owner;                        ///< both hosts
        size_t index;                              ///< which of them
        std::map<uint16_t, ListenUser*> listeners; ///< by port
        uint16_t nextPort{50'000};                 ///< next one to assign
    };

    /// @param host index @param port of the connection @param terms of it @return a new endpoint
    Stream& Add(size_t host, uint16_t port, const StreamTerms& terms)
    {
        Stream& stream = *m_streams.emplace_back(std::make_unique<Stream>());
        stream.owner = this;
        stream.terms = terms;
        stream.name = (host == 0 ? "client " : "server ") + std::to_string(port);
        return stream;
    }

    /// @param after ns from now @param act what is done then
    void Later(Nanoseconds after, std::function<void()> act)
    {
        m_events.emplace(std::pair(now + after, m_order++), std::move(act));
    }

    /// @param what was asked for
    void Note(const std::string& what)
    {
        m_log += (m_log.empty() ? "" : ", ") + what;
    }

    std::map<std::pair<Nanoseconds, uint64_t>, std::function<void()>> m_events; ///< by time
    uint64_t m_order{0};                            ///< of the next event
    std::vector<std::unique_ptr<Stream>> m_streams; ///< all endpoints
    std::string m_log;                              ///< see Take()
    Host m_hosts[2]{{*this, 0}, {*this, 1}};        ///< the hosts
};

} // namespace ns3::gridftp

#endif // GRIDFTP_MEMORY_HOSTS_H
