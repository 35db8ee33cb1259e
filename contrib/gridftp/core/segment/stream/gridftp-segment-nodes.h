/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_NODES_H
#define GRIDFTP_SEGMENT_NODES_H

#include "gridftp-assigned-ports.h"
#include "gridftp-data-host.h"
#include "gridftp-host-cpu.h"
#include "gridftp-middlebox.h"
#include "gridftp-scenario.h"
#include "gridftp-segment-flows.h"
#include "gridftp-segment-state.h"
#include "gridftp-segment-stream-settings.h"
#include "gridftp-segment-tcp-connection.h"
#include "gridftp-segment-tcp.h"
#include "gridftp-send-pool.h"
#include "gridftp-storage.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3::gridftp
{

class SegmentDataConnection;
struct SegmentDataConnectionSettings;
class SegmentDataHost;
class SegmentStreamPair;

/** @ingroup gridftp @brief A host of a session in the segment engine. */
struct SegmentNode
{
    uint32_t address{0};               //!< IPv4, host byte order; unique among the nodes
    HostCpuPtr cpu{};                  //!< where its applications run; null: nothing costs CPU time
    std::shared_ptr<Storage> source{}; //!< what it sends files from; null: that costs nothing
    std::shared_ptr<Storage> sink{};   //!< what it stores files in; null: that costs nothing
    uint32_t stripe{0};                //!< its index among the nodes of its end, for its storage
    uint32_t sourceDepth{0};           //!< most requests that are outstanding at the source
    uint32_t sinkDepth{0};             //!< likewise, at the sink
    std::vector<IdleRule> idleRules{}; //!< when a middlebox forgets connections that it accepts
};

/**
 * @ingroup gridftp
 * The hosts of a GridFTP session in the segment engine, and the paths between them: the driver of
 * applications without I/O.
 *
 * Contract: a session adds its nodes and their paths first, then asks for hosts. This object
 * outlives the applications.
 */
class SegmentNodes
{
  public:
    /** What all nodes have in common; all that is pointed to outlives them. */
    struct Settings
    {
        FlowTable* flows{nullptr};         //!< of the simulation
        const Scenario* scenario{nullptr}; //!< resolved
        uint32_t session{0};               //!< index in the scenario
        uint64_t preamble{0};              //!< bytes of a handshake that the endpoint that connects
                                           //!< writes on each data connection
        bool keepsListeners{false};        //!< data transfer processes listen on while their
                                           //!< connections close
    };

    /** @param settings of all nodes */
    explicit SegmentNodes(const Settings& settings);

    ~SegmentNodes();

    SegmentNodes(const SegmentNodes&) = delete;
    SegmentNodes& operator=(const SegmentNodes&) = delete;

    /** @param node one more @return its index */
    uint32_t AddNode(const SegmentNode& node);

    /** @param from a node @param to another one @param path between them, for connections of either
     * direction */
    void AddPath(uint32_t from, uint32_t to, const FlowPath& path);

    /** @param from node that sends file data @param to node that receives it @param path between
     * them, for data connections of this direction; without it AddPath() holds for these, too */
    void AddDataPath(uint32_t from, uint32_t to, const FlowPath& path);

    /** @param node index; it has a path @return a new host of an application there, which lives as
     * long as this */
    DataHost& MakeHost(uint32_t node);

    /** @param connection number of a data connection @return the endpoint that has accepted it;
     * null: none has */
    const DataStream* FindAccepted(uint32_t connection) const;

    /** @param now current time of the simulation, which hosts may be ahead of @return bytes of file
     * data that have arrived by then over all data connections so far */
    uint64_t CountPayload(Nanoseconds now) const;

    /** @param state gets what applications have not read yet, and their alarms */
    void AddState(SegmentState& state) const;

    /** @return the ports that nodes have assigned last, by node */
    std::vector<uint16_t> GetPorts() const;

    /** @param before GetPorts() at a time @param after at a later time @return GetPorts() when each
     * node has assigned as many ports from now on as it did between both */
    std::vector<uint16_t> ForecastPorts(const std::vector<uint16_t>& before,
                                        const std::vector<uint16_t>& after) const;

    /** @param ports GetPorts() from now on */
    void SetPorts(const std::vector<uint16_t>& ports);

    /** @param index of a connection for lines, in their order @return the connection */
    TcpConnection& GetControl(size_t index) const;

    /** A port on which an application listens. */
    struct Listener
    {
        const SegmentDataHost* host{nullptr}; //!< of the application
        uint32_t address{0};                  //!< of its node
        uint16_t port{0};                     //!< which
        StreamTerms terms{};                  //!< of endpoints that accept
        ListenUser* user{nullptr};            //!< called for each connection, or null
        DataListenUser* dataUser{nullptr};    //!< called for each data connection, or null
    };

    /** @param address of a node @param port there @return who listens; null: nobody does */
    const Listener* FindListener(uint32_t address, uint16_t port) const;

  private:
    friend class SegmentDataHost;

    /** A node, and what it has assigned. */
    struct Place
    {
        SegmentNode node;                    //!< see there
        HostClock* clock{nullptr};           //!< time at the node
        FlowPath path{};                     //!< any, of those that begin at the node
        uint16_t port{FIRST_EPHEMERAL_PORT}; //!< the last one assigned
        std::unique_ptr<SendPool> pool{};    //!< of send buffers; null: none is used yet
    };

    /** Settings of TCP for a kind of connections. */
    struct Tcp
    {
        std::string name; //!< of the congestion control
        int64_t window;   //!< of the receiver, bytes
        bool isTimed;     //!< what they send may have to wait
        SegmentTcp tcp;   //!< the settings
    };

    using Paths = std::map<std::pair<uint32_t, uint32_t>, FlowPath>; //!< by node at each end

    /** @param terms of a connection @param isTimed what it sends may have to wait @return its TCP,
     * which lives as long as this */
    const SegmentTcp& FindTcp(const StreamTerms& terms, bool isTimed);

    /** @param from node that connects @param address of the one that accepts @param sends whether
     * the connection carries file data @return the path */
    const FlowPath& FindPath(uint32_t from, uint32_t address, bool sends) const;

    /** @param address of a node @return the node */
    const Place& FindPlace(uint32_t address) const;

    /** @param node that sends @param tcp of its connection @return the pool of its send buffers;
     * null: they have their own sizes */
    SendPool* FindPool(uint32_t node, const SegmentTcp& tcp);

    /** @param settings of a data connection @param now current simulation time @return one that is
     * over, or a new one */
    SegmentDataConnection& MakeData(Nanoseconds now, const SegmentDataConnectionSettings& settings);

    /** @param node that receives @param buffers of a connection @return what its blocks pass there
     */
    static BlockStages MakeSinkStages(const SegmentNode& node, const BufferSpec& buffers);

    /** @param node that listens or connects on any port @return the next port there */
    uint16_t TakePort(uint32_t node);

    /** @param port the last one that a node has assigned @return the next one */
    static uint16_t GetNextPort(uint16_t port)
    {
        // ns-3 begins with the port after the first one
        return port == UINT16_MAX ? FIRST_EPHEMERAL_PORT : static_cast<uint16_t>(port + 1);
    }

    Settings m_settings;                                       //!< of all nodes
    std::vector<Place> m_places;                               //!< by index
    Paths m_paths;                                             //!< of AddPath(), both directions
    Paths m_dataPaths;                                         //!< of AddDataPath()
    std::vector<Listener> m_listeners;                         //!< of all nodes
    std::deque<Tcp> m_tcps;                                    //!< see FindTcp()
    std::vector<std::unique_ptr<SegmentStreamPair>> m_streams; //!< control connections
    std::deque<std::unique_ptr<SegmentDataConnection>> m_data; //!< data connections
    uint64_t m_pastPayload{0}; //!< CountPayload() of connections that became new ones
    std::deque<std::unique_ptr<SegmentDataHost>> m_hosts; //!< of applications
    SegmentStreamSettings m_streamSettings;               //!< of control connections
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_NODES_H
