/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SECURED_APPLICATION_H
#define GRIDFTP_SECURED_APPLICATION_H

#include "gridftp-buffered-application.h"
#include "gridftp-handshake.h"

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * An application whose channels are authenticated as a SecuritySpec says: its attributes, or
 * SetSecurity().
 */
class SecuredApplication : public BufferedApplication
{
  public:
    /** @return the TypeId */
    static TypeId GetTypeId();

    SecuredApplication();
    ~SecuredApplication() override;

    /** Sets all of its attributes about that. @param security of its channels; before it starts */
    void SetSecurity(const SecuritySpec& security);

    /** @param handshake what both ends of its data connections say where these are authenticated;
     * before it starts */
    void SetHandshake(const Handshake& handshake);

    /** @return how its channels are authenticated */
    const SecuritySpec& GetSecurity() const;

    /** @return the same of its data connections */
    DataSecuritySettings GetDataSecurity() const;

  private:
    /** @tparam FIELD how channels are authenticated @param how its value */
    template <Authentication SecuritySpec::* FIELD>
    void SetAuthentication(Authentication how)
    {
        m_security.*FIELD = how;
    }

    /** @tparam FIELD how channels are authenticated @return its value */
    template <Authentication SecuritySpec::* FIELD>
    Authentication GetAuthentication() const
    {
        return m_security.*FIELD;
    }

    /** @tparam FIELD time of a CPU @param time its value */
    template <int64_t SecuritySpec::* FIELD>
    void SetCpu(Time time)
    {
        m_security.*FIELD = time.GetNanoSeconds();
    }

    /** @tparam FIELD time of a CPU @return its value */
    template <int64_t SecuritySpec::* FIELD>
    Time GetCpu() const
    {
        return NanoSeconds(m_security.*FIELD);
    }

    SecuritySpec m_security; //!< see GetSecurity()
    Handshake m_handshake;   //!< see SetHandshake()
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SECURED_APPLICATION_H
