/*
 * SPDX-License-Identifier: MIT
 */
#include "episode/blob-codec.h"

#include <algorithm>
#include <cstddef>
#include <string>

namespace wormhole
{
namespace
{

/** Writes \p blob as runs of bytes that are those of \p before at the same place, and others. */
void
WriteBlob(ByteWriter& writer, std::string_view blob, std::string_view before)
{
    writer.Unsigned(blob.size());
    const std::size_t shared = std::min(blob.size(), before.size());
    const auto isSame = [&](std::size_t at) { return at < shared && blob[at] == before[at]; };
    for (std::size_t done = 0; done < blob.size();)
    {
        std::size_t same = done;
        while (isSame(same))
        {
            ++same;
        }
        writer.Unsigned(same - done);
        // Fewer than three equal bytes are not worth the two numbers that leaving them out takes.
        std::size_t other = same;
        while (other < blob.size() && !(isSame(other) && isSame(other + 1) && isSame(other + 2)))
        {
            ++other;
        }
        if (same < blob.size())
        {
            writer.Text(blob.substr(same, other - same));
        }
        done = other;
    }
}

std::string
ReadBlob(ByteReader& reader, std::string_view before, std::uint64_t limit)
{
    const std::uint64_t size = reader.Limited(limit);
    std::string blob;
    while (blob.size() < size)
    {
        const std::uint64_t same = reader.Unsigned();
        if (same > 0)
        {
            if (blob.size() > before.size() || same > before.size() - blob.size())
            {
                reader.Fail();
                break;
            }
            blob += before.substr(blob.size(), static_cast<std::size_t>(same));
        }
        std::string_view other;
        if (blob.size() < size)
        {
            other = reader.Text();
            blob += other;
        }
        // The second: nothing was added, and so it would go on.
        if (blob.size() > size || (same == 0 && other.empty()) || !reader.Ok())
        {
            reader.Fail();
            break;
        }
    }
    return blob;
}

} // namespace

std::uint64_t
BlobTable::NumberOf(const StateBlob& blob)
{
    if (blob.empty())
    {
        return 0;
    }
    const auto [found, isNew] = m_numbers.try_emplace(blob, m_blobs.size() + 1);
    if (isNew)
    {
        m_blobs.emplace_back(blob);
    }
    return found->second;
}

void
BlobTable::Write(ByteWriter& writer) const
{
    writer.Unsigned(m_blobs.size());
    std::string_view before;
    for (const std::string_view blob : m_blobs)
    {
        WriteBlob(writer, blob, before);
        before = blob;
    }
}

BlobList::BlobList(ByteReader& reader, std::uint64_t limit)
    : m_blobs(1),
      m_left(limit)
{
    std::uint64_t left = limit;
    for (std::size_t count = reader.Count(2); count > 0 && reader.Ok(); --count)
    {
        m_blobs.push_back(ReadBlob(reader, m_blobs.back(), left));
        left -= std::min<std::uint64_t>(left, m_blobs.back().size());
    }
}

StateBlob
BlobList::Take(std::uint64_t number)
{
    const StateBlob& blob = m_blobs[static_cast<std::size_t>(number)];
    m_left -= std::min<std::uint64_t>(m_left, blob.size());
    return m_left == 0 ? StateBlob{} : blob;
}

} // namespace wormhole
