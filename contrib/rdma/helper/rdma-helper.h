/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_HELPER_H
#define RDMA_HELPER_H

#include "ns3/object-factory.h"
#include "ns3/rdma-congestion-control.h"
#include "ns3/rdma-egress-scheduler.h"
#include "ns3/rdma-network.h"
#include "ns3/rdma-switch.h"
#include "ns3/rdma-timing.h"
#include "ns3/rdma-topology.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/** \ingroup rdma What packets take of links, for models without packets. */
struct RdmaPacketCosts
{
    uint32_t payloadBytes{0}; ///< of a full data frame
    uint32_t headerBytes{0};  ///< of every data frame, telemetry included
    uint32_t ackBytes{0};     ///< of an acknowledgement, telemetry included
    uint32_t ackInterval{1};  ///< RdmaHost::AckInterval
    uint32_t chunkBytes{0};   ///< RdmaHost::ChunkSize
    RdmaLinkUse use;          ///< what the congestion control fills of a switch's link
    RdmaTiming timing{RdmaTiming::EXACT};
    bool collapseParallel{false}; ///< RdmaNetwork::CollapseParallelLinks

    bool operator==(const RdmaPacketCosts& other) const;
};

/**
 * \ingroup rdma
 * \brief Builds a network of ns-3 nodes from a topology.
 *
 * \code
 * RdmaHelper rdma;
 * rdma.SetCongestionControl("ns3::RdmaHpcc");
 * Ptr<RdmaNetwork> network =
 * rdma.Install(GenerateRdmaTopology("leaf-spine:leaves=8,spines=8,hosts-per-leaf=8"));
 * \endcode
 */
class RdmaHelper
{
  public:
    RdmaHelper();

    /** Sets an attribute of the RdmaNetwork. */
    void SetNetworkAttribute(const std::string& name, const AttributeValue& value);

    /** Sets an attribute of every RdmaHost. */
    void SetHostAttribute(const std::string& name, const AttributeValue& value);

    /** Sets an attribute of every RdmaSwitch. */
    void SetSwitchAttribute(const std::string& name, const AttributeValue& value);

    /**
     * \param typeId of the congestion control of all flows, such as "ns3::RdmaHpcc"; empty for none
     * \throws InputError if there is no such congestion control
     */
    void SetCongestionControl(const std::string& typeId);

    /** \return TypeIds that SetCongestionControl takes */
    static std::vector<std::string> ListCongestionControls();

    /** Sets an attribute of the congestion control; after SetCongestionControl. */
    void SetCongestionControlAttribute(const std::string& name, const AttributeValue& value);

    /**
     * \param priority of a class of flows, 1 to 7, that gets a congestion control of its own
     * \param typeId as in SetCongestionControl
     * \param varWindow whether windows of that class scale with the rate (RdmaHost::VarWindow)
     * \throws InputError if there is no such congestion control
     */
    void SetClassControl(uint8_t priority, const std::string& typeId, bool varWindow);

    /**
     * Sets an attribute of all objects of one type that there will be: network, hosts, switches,
     * controls, scheduler and router; after these are chosen.
     * \return whether there will be any; else nothing is set
     */
    bool SetAttributeOf(const std::string& typeId,
                        const std::string& name,
                        const AttributeValue& value);

    /** \return the types that SetAttributeOf sets attributes of */
    std::vector<std::string> GetTypes() const;

    /** \return the control of a class as CreateCongestionControl; null for none, too */
    Ptr<RdmaCongestionControl> CreateClassControl(uint8_t priority) const;

    /**
     * \param typeId of the egress scheduler of all ports of switches and hosts, such as
     * "ns3::RdmaClassScheduler"; empty for turns, frame by frame
     * \throws InputError if there is no such scheduler
     */
    void SetScheduler(const std::string& typeId);

    /** \return a scheduler as every port gets one; null for turns */
    Ptr<RdmaEgressScheduler> CreateScheduler() const;

    /** \return TypeIds that SetScheduler takes */
    static std::vector<std::string> ListSchedulers();

    /**
     * \param typeId of what chooses among ports of equal distance at switches; empty for what
     * RdmaSwitch::Routing says
     * \throws InputError if there is no such router
     */
    void SetRouter(const std::string& typeId);

    /** \return a router as every switch gets one; null if there is none */
    Ptr<RdmaRouter> CreateRouter() const;

    /** \return TypeIds that SetRouter takes */
    static std::vector<std::string> ListRouters();

    /** \return a congestion control as every flow gets one, for a look at its attributes; null for
     * none */
    Ptr<RdmaCongestionControl> CreateCongestionControl() const;

    /** \return what the packets of a network with these attributes take of its links */
    RdmaPacketCosts GetPacketCosts() const;

    /**
     * Sets when egress queues at one link rate mark.
     * \param rate bit/s
     * \param thresholds in bytes
     */
    void SetEcnThresholds(uint64_t rate, const RdmaEcnThresholds& thresholds);

    /** The same for the queues of one class, 1 to 7. */
    void SetClassEcnThresholds(uint8_t priority,
                               uint64_t rate,
                               const RdmaEcnThresholds& thresholds);

    /**
     * Checks the thresholds of switches: attributes and SetEcnThresholds.
     * \param topology to be built
     * \throws InputError if Kmin exceeds Kmax at a rate of its links, a value is out of range, or
     * one has no effect
     */
    void CheckEcn(const RdmaTopology& topology) const;

    /** \param errorRate of links whose own rate is 0; in [0, 1] */
    void SetDefaultErrorRate(double errorRate);

    /**
     * Makes nodes, devices and links; the network is started.
     * \param topology what to build; its node numbers are the network's
     * \return the network
     * \throws InputError for a link without two ends, without a rate, or with a negative delay, and
     * for a node of more than RdmaNode::MOST_PORTS links
     */
    Ptr<RdmaNetwork> Install(const RdmaTopology& topology) const;

  private:
    std::vector<ObjectFactory*> GetFactories();
    Ptr<RdmaSwitch> CreateSwitch() const;
    Ptr<RdmaHost> CreateHost(const Ptr<const RdmaHost>& like,
                             const std::map<uint8_t, Ptr<RdmaCongestionControl>>& controls) const;

    ObjectFactory m_network;
    ObjectFactory m_host;
    ObjectFactory m_switch;
    ObjectFactory m_control;
    bool m_hasControl{false};

    /** Of the flows of one class. */
    struct ClassControl
    {
        ObjectFactory factory;
        bool any; //!< else none
        bool varWindow;
    };

    std::map<uint8_t, ClassControl> m_classControls;
    ObjectFactory m_scheduler;
    bool m_hasScheduler{false};
    ObjectFactory m_router;
    bool m_hasRouter{false};
    std::map<uint64_t, RdmaEcnThresholds> m_ecn;
    std::map<std::pair<uint8_t, uint64_t>, RdmaEcnThresholds> m_classEcn; //!< by class and rate
    double m_errorRate{0};
};

} // namespace ns3

#endif // RDMA_HELPER_H
