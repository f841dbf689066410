#
# SPDX-License-Identifier: GPL-2.0-only
#
# The ring of wormhole-ring.cc by ns-3's Python bindings. Argument: where Wormhole is installed, unless it is in ns-3's
# tree, whose modules ns loads by itself.

import sys

from ns import ns

if len(sys.argv) > 1:
    ns.cppyy.add_include_path(f"{sys.argv[1]}/include")
    ns.cppyy.add_library_path(f"{sys.argv[1]}/lib")
    for name in "rdma-module.h", "wormhole-helper.h":
        ns.cppyy.include(f"ns3/{name}")
    for module in "input", "rdma", "wormhole":
        ns.cppyy.load_library(f"libns3-{module}")

ns.Time.SetResolution(ns.Time.PS)  # before anything else: link speeds of 400 Gb/s need it
ns.WormholeHelper().Enable()  # before nodes, links and events are made
topology = ns.GenerateRdmaTopology("rail-optimized:gpus=64")
rdma = ns.RdmaHelper()
rdma.SetCongestionControl("ns3::RdmaHpcc")
network = rdma.Install(topology)
ring = ns.GenerateRdmaTraffic("ring:stride=8,bytes=50MB", topology, 1)
flows = ns.RdmaFlowSource(network, ring, ns.RdmaFlowOptions())
flows.Start()
ns.Simulator.Run()
finished = network.GetUnfinishedFlows().empty()
print("all" if finished else "not all", "flows completed; the end:", ns.Simulator.Now().GetMicroSeconds(), "us")
ns.Simulator.Destroy()
sys.exit(0 if finished else 1)
