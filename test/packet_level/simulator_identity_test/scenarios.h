/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef SIMULATOR_IDENTITY_SCENARIOS_H
#define SIMULATOR_IDENTITY_SCENARIOS_H

#include "record.h"

#include "ns3/application-container.h"
#include "ns3/node-container.h"

/*
 * Each scenario simulates with whatever implementation has been chosen, from before the first event
 * to after Simulator::Destroy. None but the last two knows anything of RDMA.
 */

/** TCP and UDP flows through a bottleneck with a RED queue disc, which drops. */
void RunDumbbell(const ns3::Ptr<Record>& record);

/** Echoes on a bus, which collide and back off, after ARP has found the addresses. */
void RunCsma(const ns3::Ptr<Record>& record);

/** Stations that walk about an access point, and send UDP both ways. */
void RunWifi(const ns3::Ptr<Record>& record);

/** What ns3::Simulator offers, one corner after the other. */
void RunCorners(const ns3::Ptr<Record>& record);

/** RDMA flows, and a dumbbell that is not connected with them: \p rdma and \p dumbbell record
 * their own parts. */
void RunBeside(const ns3::Ptr<Record>& rdma, const ns3::Ptr<Record>& dumbbell);

/** RDMA flows, and TCP and echoes through the same devices. */
void RunThrough(const ns3::Ptr<Record>& rdma, const ns3::Ptr<Record>& internet);

/** The dumbbell alone, for whoever runs something else beside it. */
class Dumbbell
{
  public:
    explicit Dumbbell(const ns3::Ptr<Record>& record);

    /** Records what the sinks have received. */
    void NoteEnd();

  private:
    void BuildLinks();
    void InstallFlows();
    void ConnectTraces();
    void ConnectSockets();

    ns3::Ptr<Record> m_record;
    ns3::NodeContainer m_left;
    ns3::NodeContainer m_right;
    ns3::NodeContainer m_routers;
    ns3::ApplicationContainer m_sinks;
};

#endif // SIMULATOR_IDENTITY_SCENARIOS_H
