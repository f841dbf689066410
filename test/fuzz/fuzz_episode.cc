/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A row of a store of episodes (wormhole run --memo), as it comes out of the file.

#include "../../scratch/wormhole/memo/memo-text.h"
#include "../../wormhole-kernel/src/episode/episode-codec.h"

#include <cstdlib>
#include <string>

using namespace wormhole;

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    const std::optional<EpisodeRecord> record =
        DecodeRecord({reinterpret_cast<const char*>(data), size});
    if (!record)
    {
        return 0;
    }
    // What was decoded is a value like any other: it can be written, read, and shown.
    const std::string bytes = EncodeRecord(record->graph, record->episode);
    const std::optional<EpisodeRecord> again = DecodeRecord(bytes);
    const Signature signature = record->graph.GetSignature();
    if (!again || EncodeRecord(again->graph, again->episode) != bytes ||
        again->graph.GetSignature() != signature)
    {
        std::abort();
    }
    const StoredEpisode stored{signature, signature, size, {}, record->graph, record->episode};
    EpisodeText(1, stored);
    EpisodeDot(stored);
    EpisodeSummaryJson(1, stored).dump();
    EpisodeDetailJson(stored).dump();
    return 0;
}
