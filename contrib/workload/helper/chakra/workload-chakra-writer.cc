/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-chakra-writer.h"

#include "workload-chakra-codec.h"

#include "ns3/input-line-file.h"

#include <fstream>

namespace ns3
{

namespace
{

/** Writes a message after its length as a varint. */
void
WriteMessage(std::ostream& out, const std::string& message)
{
    size_t length = message.size();
    while (length >= 0x80)
    {
        out.put(static_cast<char>((length & 0x7f) | 0x80));
        length >>= 7;
    }
    out.put(static_cast<char>(length));
    out.write(message.data(), static_cast<std::streamsize>(message.size()));
}

} // namespace

void
WriteWorkloadChakraRank(std::ostream& out, const WorkloadChakraRank& rank)
{
    RequireWorkloadChakra(rank.file);
    WriteMessage(out, EncodeWorkloadChakraMetadata(rank.version));
    for (const WorkloadChakraNode& node : rank.nodes)
    {
        WriteMessage(out, EncodeWorkloadChakraNode(node));
    }
}

void
WriteWorkloadChakra(const std::string& prefix, const WorkloadChakraTrace& trace)
{
    for (size_t rank = 0; rank < trace.ranks.size(); ++rank)
    {
        const std::string file = prefix + "." + std::to_string(rank) + ".et";
        std::ofstream out(file, std::ios::binary);
        WriteWorkloadChakraRank(out, trace.ranks[rank]);
        out.close();
        if (!out)
        {
            throw OutputError(file + ": the file cannot be written; check the folder, the "
                                     "permissions and the space left");
        }
    }
}

} // namespace ns3
