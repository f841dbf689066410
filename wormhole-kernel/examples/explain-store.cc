/*
 * SPDX-License-Identifier: MIT
 */
// explain-store FILE: what is in a file of episodes, as lines of JSON.

#include "wormhole/episode-json.h"
#include "wormhole/sqlite-episode-store.h"

#include <cstdlib>
#include <filesystem>
#include <iostream>

using namespace wormhole;

int
main(int argc, char* argv[])
{
    if (argc != 2)
    {
        std::cerr << "usage: explain-store FILE, made by a SqliteEpisodeStore\n";
        return 2;
    }
    if (!std::filesystem::exists(argv[1])) // a store would make it
    {
        std::cerr << "explain-store: there is no file " << argv[1]
                  << ": name one that a run has made\n";
        return EXIT_FAILURE;
    }
    const auto warn = [](const std::string& text) { std::cerr << text << '\n'; };
    SqliteEpisodeStore store(argv[1], Signature{}, warn); // ForEach takes all fingerprints
    store.ForEach([](const StoredEpisode& stored) {
        nlohmann::ordered_json line{{"fingerprint", stored.fingerprint.ToString()},
                                    {"signature", stored.signature.ToString()},
                                    {"encodedBytes", stored.bytes},
                                    {"lastUseMs", stored.lastUse.count()},
                                    {"graphFlows", stored.graph.FlowCount()},
                                    {"graphPorts", stored.graph.PortCount()},
                                    {"graphEdges", stored.graph.EdgeCount()}};
        line["episode"] = ToJson(stored.episode);
        std::cout << line.dump() << '\n';
    });
    return store.Access() == EpisodeFileAccess::None ? EXIT_FAILURE : EXIT_SUCCESS;
}
