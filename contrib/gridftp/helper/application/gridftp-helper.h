/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_HELPER_H
#define GRIDFTP_HELPER_H

#include "gridftp-named-values.h"
#include "gridftp-tuning-context.h"

#include "ns3/application-helper.h"
#include "ns3/inet-socket-address.h"
#include "ns3/ipv4-address.h"

#include <string>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Installs GridFTP servers.
 */
class ServerHelper : public ApplicationHelper
{
  public:
    /** Servers on the registered control port; other attributes by SetAttribute(). */
    ServerHelper();
};

/**
 * @ingroup gridftp
 * Installs data transfer processes, stripes of a server or a client.
 */
class DataTransferProcessHelper : public ApplicationHelper
{
  public:
    /** Those that wait on DTP_PORT; other attributes by SetAttribute(). */
    DataTransferProcessHelper();
};

/**
 * @ingroup gridftp
 * Installs GridFTP clients, each with a tuner of its own.
 */
class ClientHelper : public ApplicationHelper
{
  public:
    /**
     * @param server address of the server; its control port is the registered one. In a
     *        third-party transfer the server that receives
     * @param mode of the tuner, a name of GetTuningModes()
     */
    ClientHelper(Ipv4Address server, const std::string& mode);

    /** Third-party transfers. @param sender address of the server that sends, whose control port is
     * the registered one, too */
    void SetSender(Ipv4Address sender);

    /**
     * @param name of an attribute of the tuner
     * @param value its value
     */
    void SetTunerAttribute(const std::string& name, const AttributeValue& value);

    /** @param values of all parameters of the tuner, by the names of their options */
    void SetTunerValues(const NamedValues& values);

    /** @param context what the tuners have beside their attributes, as a program that they ask */
    void SetTunerContext(const TuningContext& context);

  protected:
    Ptr<Application> DoInstall(Ptr<Node> node) override;

  private:
    ObjectFactory m_tuner;   //!< makes the tuners
    TuningContext m_context; //!< what they have beside their attributes
};

} // namespace ns3::gridftp

#endif // GRIDFTP_HELPER_H
