/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-endpoint-client.h"

#include "gridftp-descriptor-checksum.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <system_error>
#include <utility>
#include <variant>

namespace ns3::gridftp
{

namespace
{

constexpr Nanoseconds JOURNAL_INTERVAL = 1'000'000'000;

/** @param path of a file @param call that failed, errno is set @return the error */
Error
MakeFileError(const std::string& path, const char* call)
{
    return Error{path + ": " + call + ": " + strerror(errno)};
}

/** @param server any @return IPv4 address of this host that reaches it, host byte order; 0: unknown
 */
uint32_t
FindOwnAddress(const HostPort& server)
{
    // A UDP socket that is connected sends nothing, but has an address
    const FileDescriptor probe(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(server.address);
    address.sin_port = htons(server.port);
    socklen_t size = sizeof(address);
    const bool isKnown =
        connect(probe.Get(), reinterpret_cast<const sockaddr*>(&address), size) == 0 &&
        getsockname(probe.Get(), reinterpret_cast<sockaddr*>(&address), &size) == 0;
    return isKnown ? ntohl(address.sin_addr.s_addr) : 0;
}

} // namespace

EndpointClient::EndpointClient(PosixLoop& loop, const EndpointClientSettings& settings)
    : m_loop(loop),
      m_settings(settings),
      m_hosts{.address = settings.transfer.session.direction == Direction::THIRD_PARTY
                             ? 0 // the data connections are not its own
                             : FindOwnAddress(settings.transfer.session.server),
              .peer = settings.transfer.session.server.address},
      m_timers(loop, m_hosts),
      m_client(m_timers, *this)
{
}

EndpointClient::~EndpointClient()
{
    m_client.Dispose(m_loop.GetNow());
    m_loop.Drop(this);
}

Done
EndpointClient::Start()
{
    auto opened = GetDirection() == Direction::UPLOAD ? OpenSource() : Done(std::monostate{});
    m_journal = TransferJournal(m_settings.journal, NameTransfer());
    const auto entry = m_journal.Read();
    if (opened && entry && GetDirection() == Direction::DOWNLOAD)
    {
        opened = OpenSink(!entry->ranges.empty());
    }
    if (!opened || !entry)
    {
        return opened ? entry.GetError() : opened;
    }
    m_begin = *entry;
    TransferClientSettings settings = m_settings.transfer;
    settings.restart = m_begin.ranges;
    settings.session.checksSize = true;
    settings.session.makeChecksum = [this](uint64_t offset, uint64_t bytes) {
        return MakeChecksum(offset, bytes);
    };
    settings.session.data.recordsRanges = m_journal.IsKept() || settings.retries > 0;
    settings.session.resets = settings.session.data.recordsRanges;
    m_client.Start(m_loop.GetNow(), settings);
    if (m_client.GetState() == ClientState::FAILED)
    {
        return Error{m_client.GetReason()};
    }
    if (m_journal.IsKept())
    {
        m_loop.Schedule(m_loop.GetNow() + JOURNAL_INTERVAL, *this, 0, this);
    }
    return std::monostate{};
}

void
EndpointClient::Stop()
{
    Check(WriteJournal());
    m_isStopped = true;
    m_client.Stop(m_loop.GetNow(), "stopped");
    m_loop.Stop();
}

std::string
EndpointClient::NameTransfer() const
{
    const ClientSettings& session = m_settings.transfer.session;
    std::error_code error; // no present folder: the path as it is
    const auto absolute = std::filesystem::absolute(m_settings.localPath, error);
    const std::string local = error ? m_settings.localPath : absolute.lexically_normal().string();
    switch (session.direction)
    {
    case Direction::UPLOAD:
        return ToLineText("put " + local + " of time " + std::to_string(m_sourceTime) + " to " +
                          session.path);
    case Direction::DOWNLOAD:
        return ToLineText("get " + session.path + " to " + local);
    default:
        return ToLineText("copy " + session.senderPath + " to " + session.path);
    }
}

Done
EndpointClient::OpenSource()
{
    const std::string& path = m_settings.localPath;
    m_source = FileDescriptor(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    struct stat status{};
    if (!m_source.IsOpen() || fstat(m_source.Get(), &status) != 0)
    {
        return MakeFileError(path, "open");
    }
    if (!S_ISREG(status.st_mode))
    {
        return Error{path + ": not a regular file"};
    }
    m_bytes = static_cast<uint64_t>(status.st_size);
    m_sourceTime = status.st_mtim.tv_sec * 1'000'000'000 + status.st_mtim.tv_nsec;
    return std::monostate{};
}

Done
EndpointClient::OpenSink(bool continues)
{
    const std::string& path = m_settings.localPath;
    m_sink = m_settings.journal.empty() ? std::make_unique<StoredFile>(path)
                                        : std::make_unique<StoredFile>(path, continues);
    return m_sink->GetError().empty() ? Done(std::monostate{}) : Done(Error{m_sink->GetError()});
}

TextResult<std::unique_ptr<FileChecksum>>
EndpointClient::MakeChecksum(uint64_t offset, uint64_t bytes) const
{
    if (!m_sink)
    {
        return OpenForChecksum(m_settings.localPath, offset, bytes);
    }
    const std::string& stored = m_sink->GetTemporaryPath();
    return OpenForChecksum(stored.empty() ? m_settings.localPath : stored, offset, bytes);
}

MarkerRanges
EndpointClient::FindHeld() const
{
    MarkerRanges all = m_client.FindHeld();
    if (m_client.GetState() == ClientState::TRANSFERRING)
    {
        ClientSession& session = *m_client.GetSession();
        const MarkerRanges present =
            m_sink ? session.GetDataTransfer().GetReceiver().GetRanges(m_loop.GetNow())
                   : session.GetHeld();
        all.insert(all.end(), present.begin(), present.end());
    }
    return MergeRanges(std::move(all));
}

Done
EndpointClient::WriteJournal() const
{
    const bool isDamaged = m_sink && !m_sink->GetError().empty();
    return isDamaged || !m_bytes ? Done(std::monostate{}) : m_journal.Write({*m_bytes, FindHeld()});
}

void
EndpointClient::HandleEvent(Nanoseconds now, uint32_t /* id */)
{
    Check(WriteJournal());
    m_loop.Schedule(now + JOURNAL_INTERVAL, *this, 0, this);
}

void
EndpointClient::Check(const Done& done)
{
    if (!done && m_failure.empty())
    {
        m_failure = done.GetError().message;
        Stop();
    }
}

ChannelHosts
EndpointClient::MakeChannels(Nanoseconds /* now */)
{
    m_attempts.push_back(std::make_unique<Attempt>(m_loop, m_hosts));
    Attempt& attempt = *m_attempts.back();
    attempt.sender.SetSource(m_source.Get());
    return {attempt.control, attempt.sender, attempt.receiver};
}

void
EndpointClient::HandleSession(ClientSession& session)
{
    session.GetDataTransfer().GetReceiver().SetFile(m_sink.get());
}

Expected<FileSequence>
EndpointClient::FindFiles(Nanoseconds now, std::optional<uint64_t> fileBytes)
{
    m_bytes = GetDirection() == Direction::UPLOAD ? m_bytes : fileBytes;
    if (!m_bytes)
    {
        return Error{"the server does not report the size of the file"};
    }
    if (!m_begin.ranges.empty() && m_begin.bytes != *m_bytes)
    {
        return Error{"the file has " + std::to_string(*m_bytes) + " bytes, at the first attempt " +
                     std::to_string(m_begin.bytes) + "; remove the journal to start again"};
    }
    if (*m_bytes == 0 && GetDirection() == Direction::THIRD_PARTY)
    {
        return Error{"an empty file cannot be copied between servers"};
    }
    return FileSequence(
        std::make_shared<FileSupply>(std::vector<uint64_t>{*m_bytes}, now, Nanoseconds{0}));
}

void
EndpointClient::HandleState(Nanoseconds /* now */, ClientState state)
{
    if (state == ClientState::WAITING && m_settings.restartHandler)
    {
        m_settings.restartHandler(m_client.GetRestarts().back());
    }
    // All data are there at QUIT: a server that closes without a reply to it does not matter
    m_isMoved = m_isMoved || state == ClientState::QUITTING;
    if (state == ClientState::DONE || (state == ClientState::FAILED && m_isMoved && !m_isStopped))
    {
        Complete();
    }
    else if (state == ClientState::FAILED && !m_isStopped)
    {
        Check(WriteJournal());
    }
    if (state == ClientState::DONE || state == ClientState::FAILED)
    {
        m_loop.Stop();
    }
}

void
EndpointClient::Complete()
{
    if (m_sink)
    {
        m_sink->SetSize(*m_bytes);
        const auto committed = m_sink->Commit();
        m_failure = committed ? "" : committed.GetError().message;
    }
    const auto& stored = m_client.GetSession()->GetFileBytes();
    if (GetDirection() != Direction::DOWNLOAD && stored && *stored != *m_bytes)
    {
        m_failure = m_settings.transfer.session.path + " has " + std::to_string(*stored) +
                    " bytes at the server, " + std::to_string(*m_bytes) +
                    " were sent: it was longer before";
    }
    if (m_failure.empty())
    {
        m_journal.Remove();
    }
}

void
EndpointClient::HandleParallelism(uint32_t parallelism)
{
    m_parallelism = parallelism;
}

void
EndpointClient::HandleChunkCompleted(Nanoseconds /* now */, const ChunkRecord& record)
{
    if (m_sink && !m_sink->GetError().empty())
    {
        return Check(Error{m_sink->GetError()});
    }
    Check(WriteJournal());
    if (m_settings.chunkHandler)
    {
        m_settings.chunkHandler(record);
    }
}

std::string
EndpointClient::GetFailure() const
{
    if (!m_failure.empty() || (m_isMoved && !m_isStopped))
    {
        return m_failure;
    }
    return m_client.GetReason().empty() ? "stopped" : m_client.GetReason();
}

EndpointProgress
EndpointClient::GetProgress() const
{
    uint64_t moved = CountBytes(m_begin.ranges);
    for (const auto& session : m_client.GetSessions())
    {
        moved += session->GetMoved(m_loop.GetNow());
    }
    // A new attempt may have repeated some of them
    return {.movedBytes = std::min(moved, m_bytes.value_or(moved)),
            .bytes = m_bytes,
            .parallelism = m_parallelism};
}

} // namespace ns3::gridftp
