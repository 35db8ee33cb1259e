/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-posix-host.h"

#include "gridftp-posix-stream.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace ns3::gridftp
{

PosixHost::PosixHost(PosixLoop& loop, const PosixHostSettings& settings)
    : m_loop(loop),
      m_settings(settings),
      m_state{.loop = &loop}
{
}

PosixHost::~PosixHost()
{
    StopListening();
    m_streams.clear();
    m_loop.Drop(this);
}

PosixStream&
PosixHost::Add(PosixSocket socket, const StreamTerms& terms, bool isAccepted)
{
    std::erase_if(m_streams, [](const auto& one) { return one->MayForget(); });
    m_streams.push_back(
        std::make_unique<PosixStream>(m_state, std::move(socket), terms, isAccepted));
    return *m_streams.back();
}

int
PosixHost::BeginConnect(const HostPort& to, const StreamTerms& terms, PosixSocket& socket)
{
    auto made = PosixSocket::Make(terms);
    if (!made)
    {
        m_error = made.GetError().message;
        return EINVAL;
    }
    socket = std::move(*made);
    const int error = socket.Connect(m_settings.address, to);
    if (error != 0)
    {
        m_error = "connect to port " + std::to_string(to.port) + ": " + strerror(error);
    }
    return error;
}

uint32_t
PosixHost::GetPeerAddress(const ByteStream& stream) const
{
    const auto found = std::ranges::find(m_streams, &stream, [](const auto& one) {
        return static_cast<const ByteStream*>(one.get());
    });
    return found == m_streams.end() ? 0 : (*found)->GetPeerAddress();
}

void
PosixHost::Forget(const ByteStream& stream)
{
    std::erase_if(m_streams, [&stream](const auto& one) {
        return static_cast<const ByteStream*>(one.get()) == &stream && !one->IsOpen();
    });
}

ByteStream&
PosixHost::Connect(Nanoseconds now, uint16_t port, const StreamTerms& terms, StreamUser& user)
{
    return ConnectTo(now, {m_settings.peer, port}, terms, user);
}

ByteStream&
PosixHost::ConnectTo(Nanoseconds /* now */,
                     const HostPort& to,
                     const StreamTerms& terms,
                     StreamUser& user)
{
    PosixSocket socket;
    const bool isRefused = BeginConnect(to, terms, socket) != 0;
    PosixStream& stream = Add(isRefused ? PosixSocket() : std::move(socket), terms, false);
    stream.SetUser(user);
    if (isRefused)
    {
        stream.Refuse();
    }
    return stream;
}

DataStream*
PosixHost::OpenData(Nanoseconds /* now */,
                    const HostPort& to,
                    const StreamTerms& terms,
                    DataStreamUser& user)
{
    PosixSocket socket;
    const int error = BeginConnect(to, terms, socket);
    if (error != 0 && error != ECONNREFUSED)
    {
        return nullptr;
    }
    // The kernel may report at once that a peer on the same host does not listen
    PosixStream& stream = Add(error != 0 ? PosixSocket() : std::move(socket), terms, false);
    stream.SetDataUser(user);
    if (error != 0)
    {
        stream.Refuse();
    }
    return &stream;
}

std::optional<uint16_t>
PosixHost::Open(uint16_t port, const StreamTerms& terms, ListenUser* user, DataListenUser* dataUser)
{
    auto socket = PosixSocket::Make(terms);
    const auto listens =
        socket ? socket->Listen({m_settings.address, port}) : Expected<uint16_t>(socket.GetError());
    if (!listens)
    {
        m_error = listens.GetError().message;
        return std::nullopt;
    }
    PosixListener::Owner& owner = *this;
    auto listener = std::make_shared<PosixListener>(m_loop, owner, std::move(*socket));
    if (!listener->IsListening())
    {
        m_error = "the system refuses to watch port " + std::to_string(*listens);
        return std::nullopt;
    }
    m_listening.push_back({std::move(listener), *listens, terms, user, dataUser});
    return *listens;
}

uint16_t
PosixHost::Listen(Nanoseconds /* now */, uint16_t port, const StreamTerms& terms, ListenUser& user)
{
    return Open(port, terms, &user, nullptr).value_or(0);
}

std::optional<uint16_t>
PosixHost::ListenForData(Nanoseconds /* now */, const StreamTerms& terms, DataListenUser& user)
{
    return Open(0, terms, nullptr, &user);
}

void
PosixHost::StopListening()
{
    for (const auto& listening : std::exchange(m_listening, {}))
    {
        listening.listener->Close();
    }
}

void
PosixHost::HandleSocket(Nanoseconds now, const PosixListener& listener, PosixSocket socket)
{
    const auto found = std::ranges::find_if(m_listening, [&listener](const Listening& one) {
        return one.listener.get() == &listener;
    });
    if (found == m_listening.end() || m_state.accepted >= m_settings.mostAccepted)
    {
        return; // which closes the socket
    }
    const Listening listening = *found; // the callback may stop listening
    PosixStream& stream = Add(std::move(socket), listening.terms, true);
    DataStreamUser* const dataUser =
        listening.dataUser ? listening.dataUser->HandleDataAccepted(now, stream) : nullptr;
    StreamUser* const user =
        listening.user ? listening.user->HandleAccepted(now, listening.port, stream) : dataUser;
    if (!user)
    {
        stream.Reset(now);
    }
    else if (stream.IsOpen())
    {
        dataUser ? stream.SetDataUser(*dataUser) : stream.SetUser(*user);
    }
}

void
PosixHost::Schedule(Nanoseconds /* now */, Nanoseconds at, EventTarget& target, uint32_t id)
{
    m_loop.Schedule(at, target, id, this);
}

void
PosixHost::SetAlarm(Nanoseconds /* now */, Nanoseconds at, EventTarget& target)
{
    m_loop.Schedule(at, target, 0, &target);
}

void
PosixHost::CancelAlarm(EventTarget& target)
{
    m_loop.Drop(&target);
}

void
PosixHost::ScheduleWork(Nanoseconds now, Nanoseconds at, EventTarget& target, uint32_t id)
{
    Schedule(now, at, target, id);
}

Nanoseconds
PosixHost::AskCpu(Nanoseconds now, const CpuWork& /* work */)
{
    return now;
}

BlockStages
PosixHost::FindSourceStages(const BufferSpec& /* buffers */, uint64_t /* offset */)
{
    return {};
}

BlockStages
PosixHost::FindSinkStages(const BufferSpec& /* buffers */)
{
    return {};
}

} // namespace ns3::gridftp
