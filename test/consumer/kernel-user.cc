/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Uses an installed wormhole-kernel: kernel-user STORE writes how many partitions two flows make
// that share a port, and makes a store of episodes.

#include "wormhole/partition-map.h"
#include "wormhole/sqlite-episode-store.h"

#include <iostream>

using namespace wormhole;

int
main(int argc, char* argv[])
{
    if (argc != 2)
    {
        std::cerr << "usage: kernel-user STORE\n";
        return 2;
    }
    PartitionMap partitions;
    partitions.Start(FlowId{1}, {PortId{1}, PortId{2}});
    const bool joined = !partitions.Start(FlowId{2}, {PortId{2}, PortId{3}}).created;

    const auto warn = [](const std::string& text) { std::cerr << text << '\n'; };
    const SqliteEpisodeStore store(argv[1], Signature{}, warn);
    const bool stored = store.Access() == EpisodeFileAccess::ReadWrite;

    std::cout << (joined ? "one partition" : "two partitions") << ", "
              << (stored ? "a store" : "no store") << '\n';
    return joined && stored ? 0 : 1;
}
