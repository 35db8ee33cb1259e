/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_NS3_FAULTS_H
#define GRIDFTP_NS3_FAULTS_H

#include "gridftp-client.h"
#include "gridftp-data-transfer-process.h"
#include "gridftp-scenario.h"
#include "gridftp-server.h"

#include "ns3/address.h"
#include "ns3/ptr.h"
#include "ns3/socket.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief What of a session can fail. */
struct Ns3FaultTargets
{
    Direction direction{};                           //!< of the data
    Ptr<Client> client;                              //!< one end
    std::vector<Ptr<Server>> servers;                //!< receiver first, where there are two
    std::vector<Ptr<DataTransferProcess>> senders;   //!< on hosts of their own; none: there is one
    std::vector<Ptr<DataTransferProcess>> receivers; //!< likewise
};

/**
 * @ingroup gridftp
 * Has a session's applications fail when a scenario says so. What fails of the network or of the
 * storages is known to these.
 */
class Ns3Faults
{
  public:
    /** @param targets what can fail */
    explicit Ns3Faults(const Ns3FaultTargets& targets);

    /** @param fault of the session; the faults outlive the simulation */
    void Schedule(const FaultSpec& fault);

  private:
    /** @param fault at a server @return the server */
    Ptr<Server> FindServer(const FaultSpec& fault) const;

    /** Does it. @param fault that is due */
    void Strike(const FaultSpec& fault);

    /** Kills a data transfer process. @param fault which */
    void KillDataTransfer(const FaultSpec& fault);

    /** A foreign host connects to a data port. @param fault which */
    void ConnectForeign(const FaultSpec& fault);

    /** Resets a data connection. @param fault which */
    void BreakConnection(const FaultSpec& fault);

    /** Notes the number of data connections that are opened, so that the end that accepts them can
     * be told which one it is. */
    void Observe();

    /** A data connection is about to be opened. @param socket of the end that opens it @param chunk
     * for which @param connection its number */
    void HandleOpened(Ptr<Socket> socket, uint64_t chunk, uint32_t connection);

    /** A data connection has been accepted. @param socket of the end that has */
    void HandleAccepted(Ptr<Socket> socket);

    Ns3FaultTargets m_targets;                     //!< what can fail
    bool m_observes{false};                        //!< Observe() has been called
    std::map<Address, uint32_t> m_numbers;         //!< of data connections, by who opened them
    std::map<uint32_t, Ptr<Socket>> m_acceptances; //!< their other ends, by number
};

} // namespace ns3::gridftp

#endif // GRIDFTP_NS3_FAULTS_H
