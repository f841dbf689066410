/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-chakra-reader.h"

#include "workload-chakra-codec.h"
#include "workload-chakra-graph.h"

#include "ns3/input-number.h"
#include "ns3/input-values.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace ns3
{

namespace
{

/** Longest duration that is taken, us: 11 days. More is a damaged file, and would not fit in ps. */
constexpr uint64_t MAX_MICROS = 1'000'000'000'000;

/** The messages of a file, one by one. */
class Messages
{
  public:
    Messages(std::istream& in, const std::string& name)
        : m_in(in),
          m_name(name)
    {
    }

    /** \return false at the end of the file; else \p message is set to the next one */
    bool Next(std::string& message)
    {
        m_start = m_offset;
        uint64_t length = 0;
        if (!Length(length))
        {
            return false;
        }
        if (length > WORKLOAD_CHAKRA_MESSAGE_BYTES)
        {
            Fail("a message of " + std::to_string(length) + " bytes, but the most is " +
                 std::to_string(WORKLOAD_CHAKRA_MESSAGE_BYTES) + "; " + DAMAGED);
        }
        message.clear();
        // Piece by piece: a damaged length must not cost memory.
        while (message.size() < length)
        {
            const uint64_t had = message.size();
            message.resize(std::min<uint64_t>(length, had + 65536));
            m_in.read(message.data() + had, static_cast<std::streamsize>(message.size() - had));
            const auto got = static_cast<uint64_t>(m_in.gcount());
            m_offset += got;
            if (had + got < message.size())
            {
                Fail("the file ends after " + std::to_string(had + got) + " of the message's " +
                     std::to_string(length) + " bytes; " + DAMAGED);
            }
        }
        return true;
    }

    /** \return where the last message starts, with its length */
    uint64_t Start() const
    {
        return m_start;
    }

    [[noreturn]] void Fail(const std::string& message) const
    {
        throw InputError(m_name, 0, "byte " + std::to_string(m_start) + ": " + message);
    }

    static constexpr const char* DAMAGED =
        "the file is cut off or is no Chakra trace: write or copy it again";

  private:
    /** Reads a varint of at most 32 bits. \return false if the file ends before it */
    bool Length(uint64_t& length)
    {
        for (int shift = 0; shift < 35; shift += 7)
        {
            const int byte = m_in.get();
            if (byte == std::istream::traits_type::eof())
            {
                if (shift == 0)
                {
                    return false;
                }
                Fail(std::string("the file ends inside a message's length; ") + DAMAGED);
            }
            ++m_offset;
            length |= static_cast<uint64_t>(byte & 0x7f) << shift;
            if ((byte & 0x80) == 0)
            {
                return true;
            }
        }
        Fail(std::string("a message's length has more than 5 bytes; ") + DAMAGED);
    }

    std::istream& m_in;
    const std::string& m_name;
    uint64_t m_offset{0};
    uint64_t m_start{0};
};

void
ReadMetadata(Messages& messages, WorkloadChakraRank& rank)
{
    std::string message;
    if (!messages.Next(message))
    {
        messages.Fail("the file is empty; a Chakra trace starts with its metadata");
    }
    // Field 1 is a number in a node, but text in the metadata.
    if (!message.empty() && message[0] == 0x08)
    {
        messages.Fail("a node, but the first message must be the metadata (its version)");
    }
    if (!DecodeWorkloadChakraMetadata(message, rank.version))
    {
        messages.Fail(std::string("this is not the metadata that a Chakra trace starts with; ") +
                      Messages::DAMAGED);
    }
}

/** \return the name of a rank's file */
std::string
FileOf(const std::string& prefix, size_t rank)
{
    return prefix + "." + std::to_string(rank) + ".et";
}

/** \return PREFIX if \p name is PREFIX.RANK.et, else the name itself */
std::string
PrefixOf(const std::string& name)
{
    const size_t end = name.size() < 3 ? std::string::npos : name.size() - 3;
    if (end == std::string::npos || name.compare(end, 3, ".et") != 0)
    {
        return name;
    }
    const size_t dot = name.rfind('.', end - 1);
    uint64_t rank = 0;
    const bool numbered = end > 0 && dot != std::string::npos &&
                          ParseInteger(name.substr(dot + 1, end - dot - 1), rank);
    return numbered ? name.substr(0, dot) : name;
}

/** Throws if a file of a rank beyond \p ranks lies beside the others: one between is missing. */
void
CheckGap(const std::string& prefix, size_t ranks)
{
    const std::filesystem::path path(prefix);
    const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
    const std::string stem = path.filename().string() + ".";
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    {
        const std::string name = entry.path().filename().string();
        uint64_t rank = 0;
        if (name.size() > stem.size() + 3 && name.compare(0, stem.size(), stem) == 0 &&
            name.compare(name.size() - 3, 3, ".et") == 0 &&
            ParseInteger(name.substr(stem.size(), name.size() - stem.size() - 3), rank) &&
            rank > ranks)
        {
            throw InputError(FileOf(prefix, ranks),
                             0,
                             "there is no such file, but there is " + name +
                                 "; ranks go from 0 without a gap");
        }
    }
}

} // namespace

WorkloadChakraRank
ReadWorkloadChakraRank(std::istream& in, const std::string& name)
{
    RequireWorkloadChakra(name);
    WorkloadChakraRank rank;
    rank.file = name;
    if (in.peek() == 0x1f)
    {
        in.get();
        if (in.peek() == 0x8b)
        {
            throw InputError(name,
                             0,
                             "the file is compressed; decompress it: gunzip < FILE > "
                             "PREFIX.RANK.et");
        }
        in.unget();
    }
    Messages messages(in, rank.file);
    ReadMetadata(messages, rank);
    std::string message;
    uint64_t empty = 0;
    while (messages.Next(message))
    {
        empty += message.empty() ? 1 : 0;
        if (empty > 1) // such as blank pages of a damaged disk; each would be a node
        {
            messages.Fail(std::string("a second node of 0 bytes, which has number 0 again; ") +
                          Messages::DAMAGED);
        }
        WorkloadChakraNode node;
        node.offset = messages.Start();
        std::string wrong = DecodeWorkloadChakraNode(message, node);
        if (wrong.empty() && node.durationMicros > MAX_MICROS)
        {
            wrong = "a duration of " + std::to_string(node.durationMicros) +
                    " us, but the most is " + std::to_string(MAX_MICROS);
        }
        if (!wrong.empty())
        {
            FailWorkloadChakra(rank, node, wrong + "; write the trace again");
        }
        rank.nodes.push_back(std::move(node));
    }
    if (in.bad())
    {
        messages.Fail("the file cannot be read");
    }
    OrderWorkloadChakra(rank);
    return rank;
}

WorkloadChakraTrace
ReadWorkloadChakra(const std::string& prefix)
{
    WorkloadChakraTrace trace;
    trace.origin = PrefixOf(prefix);
    RequireWorkloadChakra(trace.origin);
    while (true)
    {
        const std::string file = FileOf(trace.origin, trace.ranks.size());
        std::error_code error;
        if (!std::filesystem::is_regular_file(file, error))
        {
            break;
        }
        std::ifstream in = OpenInput(file, "the file cannot be opened");
        trace.ranks.push_back(ReadWorkloadChakraRank(in, file));
    }
    if (trace.ranks.empty())
    {
        throw InputError(FileOf(trace.origin, 0),
                         0,
                         "there is no such file; name a trace by what stands before "
                         ".RANK.et, with ranks from 0");
    }
    CheckGap(trace.origin, trace.ranks.size());
    return trace;
}

} // namespace ns3
