/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_BUFFERED_APPLICATION_H
#define GRIDFTP_BUFFERED_APPLICATION_H

#include "gridftp-scenario.h"

#include "ns3/application.h"
#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <string>

namespace ns3::gridftp
{

class SessionMonitor;

/**
 * @ingroup gridftp
 * An application whose connections have socket buffers of a BufferSpec: what its attributes say, or
 * SetBuffers().
 */
class BufferedApplication : public Application
{
  public:
    /** @return the TypeId */
    static TypeId GetTypeId();

    BufferedApplication();
    ~BufferedApplication() override;

    /** Sets all of its buffers' attributes. @param buffers of its connections; before it starts */
    void SetBuffers(const BufferSpec& buffers);

    /** @return buffers of its connections */
    const BufferSpec& GetBuffers() const;

    /** @param monitor gets what its data connections do on which it sends, outlives them; null:
     * nothing does. Before it starts */
    void SetMonitor(SessionMonitor* monitor)
    {
        m_monitor = monitor;
    }

    /** @return see SetMonitor() */
    SessionMonitor* GetMonitor() const
    {
        return m_monitor;
    }

  private:
    /** @param policy name of a policy for buffers; aborts where there is none */
    void SetPolicy(const std::string& policy);

    /** @return name of the policy for buffers */
    std::string GetPolicy() const;

    /** @param peer what the sending end knows */
    void SetPeer(SizingPeer peer);

    /** @return what the sending end knows */
    SizingPeer GetPeer() const;

    /** @param rtt which round-trip time applications that size buffers take */
    void SetRtt(SizingRtt rtt);

    /** @return which round-trip time applications that size buffers take */
    SizingRtt GetRtt() const;

    /** @tparam FIELD bytes of the buffers @param bytes its value */
    template <int64_t BufferSpec::* FIELD>
    void SetBytes(uint64_t bytes)
    {
        m_buffers.*FIELD = static_cast<int64_t>(bytes);
    }

    /** @tparam FIELD bytes of the buffers @return its value */
    template <int64_t BufferSpec::* FIELD>
    uint64_t GetBytes() const
    {
        return static_cast<uint64_t>(m_buffers.*FIELD);
    }

    /** @tparam FIELD bit/s of the buffers @param rate its value */
    template <int64_t BufferSpec::* FIELD>
    void SetRate(DataRate rate)
    {
        m_buffers.*FIELD = static_cast<int64_t>(rate.GetBitRate());
    }

    /** @tparam FIELD bit/s of the buffers @return its value */
    template <int64_t BufferSpec::* FIELD>
    DataRate GetRate() const
    {
        return DataRate(static_cast<uint64_t>(m_buffers.*FIELD));
    }

    /** @param interval between two samples of applications that size buffers */
    void SetInterval(Time interval);

    /** @return interval between two samples of applications that size buffers */
    Time GetInterval() const;

    BufferSpec m_buffers;               //!< see GetBuffers()
    SessionMonitor* m_monitor{nullptr}; //!< see SetMonitor()
};

} // namespace ns3::gridftp

#endif // GRIDFTP_BUFFERED_APPLICATION_H
