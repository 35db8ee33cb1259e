/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_REAL_TRANSFER_H
#define GRIDFTP_REAL_TRANSFER_H

#include "gridftp-temporary-folder.h"

#include "ns3/gridftp-block-receiver.h"
#include "ns3/gridftp-block-sender.h"
#include "ns3/gridftp-file-descriptor.h"
#include "ns3/gridftp-posix-host.h"
#include "ns3/gridftp-posix-loop.h"

#include <cstdint>
#include <fcntl.h>
#include <string>

/**
 * @file
 * @ingroup gridftp
 * A sender and a receiver of GridFTP in one process, with real sockets.
 */

namespace ns3::gridftp
{

/// Stops an event loop that has run for too long, so that a test fails instead of hanging.
class Deadline : private EventTarget
{
  public:
    /// @param loop that is stopped 30 s from now; outlives it
    explicit Deadline(PosixLoop& loop)
        : m_loop(loop)
    {
        constexpr Nanoseconds LATEST = 30'000'000'000;
        loop.Schedule(loop.GetNow() + LATEST, *this, 0, this);
    }

    Deadline(const Deadline&) = delete;
    Deadline& operator=(const Deadline&) = delete;

    ~Deadline() override
    {
        m_loop.Drop(this);
    }

    bool isOver{false}; ///< the loop was stopped

  private:
    void HandleEvent(Nanoseconds /* now */, uint32_t /* id */) override
    {
        isOver = true;
        m_loop.Stop();
    }

    PosixLoop& m_loop; ///< that is stopped
};

/// Both data transfer processes, and what their owners learn.
class RealTransfer : public BlockSender::Owner, public BlockReceiver::Owner
{
  public:
    /// @param receiverSettings of the host that receives
    explicit RealTransfer(const PosixHostSettings& receiverSettings = {})
        : sending(loop),
          receiving(loop, receiverSettings),
          sender(sending, *this),
          receiver(receiving, *this)
    {
    }

    /// Opens what is sent. @param path of the file
    void OpenSource(const std::string& path)
    {
        m_source = FileDescriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC));
        sending.SetSource(m_source.Get());
    }

    /// The receiver listens, and the sender learns where.
    void Listen()
    {
        const Nanoseconds now = loop.GetNow();
        const auto port = receiver.Listen(now);
        sender.SetPeers(now, {{PosixHostSettings::LOOPBACK, port.value_or(0)}});
    }

    /// Transfers a chunk. @param order of the sender @param expected of the receiver @return what
    /// both owners learn
    std::string Run(const SendOrder& order, const ReceiveOrder& expected)
    {
        sent.clear();
        received.clear();
        receiver.Expect(loop.GetNow(), expected);
        sender.Start(loop.GetNow(), order);
        const Deadline deadline(loop);
        loop.Run();
        return "sender: " + sent + "; receiver: " + received +
               (deadline.isOver ? "; too late" : "");
    }

    /// Ends a chunk. @param keep whether connections are cached
    void Finish(bool keep)
    {
        sender.Finish(loop.GetNow(), keep);
        receiver.Finish(keep);
    }

    // BlockSender::Owner
    void HandleSent(Nanoseconds /* now */) override
    {
        sent = "done";
        CheckOver();
    }

    void HandleSendFailed(Nanoseconds now, const TransferFailure& failure) override
    {
        sent = std::to_string(failure.code) + " " + failure.reason;
        if (received.empty() && isCoupled)
        {
            receiver.Abort(now);
            received = "aborted";
        }
        CheckOver();
    }

    // BlockReceiver::Owner
    void HandleReceived(Nanoseconds /* now */) override
    {
        received = "done";
        CheckOver();
    }

    void HandleReceiveFailed(Nanoseconds now, const TransferFailure& failure) override
    {
        received = std::to_string(failure.code) + " " + failure.reason;
        receiver.Abort(now);
        if (sent.empty() && isCoupled)
        {
            sender.Abort(now);
            sent = "aborted";
        }
        CheckOver();
    }

    PosixLoop loop;         ///< of both hosts
    PosixHost sending;      ///< host of the sender
    PosixHost receiving;    ///< host of the receiver
    BlockSender sender;     ///< reads the source
    BlockReceiver receiver; ///< under test, too
    std::string sent;       ///< what the owner of the sender learns
    std::string received;   ///< what the owner of the receiver learns
    bool isCoupled{true};   ///< a failure of one aborts the other, as control connections do

  private:
    /// Stops when both have an outcome.
    void CheckOver()
    {
        if (!sent.empty() && !received.empty())
        {
            loop.Stop();
        }
    }

    FileDescriptor m_source; ///< what is sent
};

} // namespace ns3::gridftp

#endif // GRIDFTP_REAL_TRANSFER_H
