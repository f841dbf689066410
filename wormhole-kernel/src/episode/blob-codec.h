/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_BLOB_CODEC_H
#define WORMHOLE_BLOB_CODEC_H

#include "episode/byte-codec.h"
#include "wormhole/episode.h"

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

namespace wormhole
{

/** The different state blobs of an episode, in the order in which they first occur. Number 0 is
 * the empty one. Refers to the blobs, which must stay. */
class BlobTable
{
  public:
    std::uint64_t NumberOf(const StateBlob& blob);

    /** Each blob as what differs from the one before. */
    void Write(ByteWriter& writer) const;

  private:
    std::map<std::string_view, std::uint64_t> m_numbers;
    std::vector<std::string_view> m_blobs;
};

/** What a BlobTable wrote. Neither its blobs nor the copies taken of them exceed \p limit bytes in
 * all, whatever the bytes read. */
class BlobList
{
  public:
    BlobList(ByteReader& reader, std::uint64_t limit);

    /** \return how many numbers there are, with that of the empty blob */
    std::uint64_t Size() const
    {
        return m_blobs.size();
    }

    /** \return a copy of the blob with that number, or an empty one if HasExceeded */
    StateBlob Take(std::uint64_t number);

    /** \return whether the copies have reached the limit */
    bool HasExceeded() const
    {
        return m_left == 0;
    }

  private:
    std::vector<StateBlob> m_blobs;
    std::uint64_t m_left;
};

} // namespace wormhole

#endif // WORMHOLE_BLOB_CODEC_H
