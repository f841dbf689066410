/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * Frames that a live program's ranks send, and are sent.
 */

#include "live-program.h"
#include "terminal/signals.h"

#include "ns3/input-error.h"

#include <algorithm>
#include <cerrno>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>

namespace wormhole
{

using ns3::InputError;

namespace
{

/** \return bytes of the frame that begins with these, without its length \throws InputError if it
 * is too long */
size_t
FrameBytes(const std::string& bytes)
{
    size_t length = 0;
    for (size_t i = 0; i < LIVE_FRAME_LENGTH; ++i)
    {
        length |= size_t(static_cast<unsigned char>(bytes[i])) << (8 * i);
    }
    if (length > WORMHOLE_LIVE_MOST_BYTES)
    {
        throw InputError("a frame of " + std::to_string(length) +
                         " bytes of wormhole live, where " +
                         std::to_string(WORMHOLE_LIVE_MOST_BYTES) + " are the most");
    }
    return length;
}

} // namespace

bool
LiveProgram::HasFrame(const Rank& rank) const
{
    return rank.bytes.size() >= LIVE_FRAME_LENGTH &&
           rank.bytes.size() >= LIVE_FRAME_LENGTH + FrameBytes(rank.bytes);
}

void
LiveProgram::Read(Rank& rank) const
{
    char bytes[1 << 16];
    const ssize_t got = recv(rank.socket, bytes, sizeof(bytes), MSG_DONTWAIT);
    if (got > 0)
    {
        rank.bytes.append(bytes, static_cast<size_t>(got));
    }
}

/** Waits for bytes of these ranks, unless all have frames, and reads them. \param gone set to
 * whether a connection has ended \return the ranks without a frame */
std::vector<uint32_t>
LiveProgram::ReadSome(const std::vector<uint32_t>& ranks, int ms, bool& gone)
{
    const auto missing = [&] {
        std::vector<uint32_t> without;
        for (const uint32_t rank : ranks)
        {
            if (!HasFrame(m_ranks[rank]))
            {
                without.push_back(rank);
            }
        }
        return without;
    };
    gone = false;
    const std::vector<uint32_t> before = missing();
    if (before.empty())
    {
        return {};
    }
    std::vector<pollfd> waited(1, {m_hangUps, POLLIN, 0});
    for (const uint32_t rank : before)
    {
        waited.push_back({m_ranks[rank].socket, POLLIN, 0});
    }
    poll(waited.data(), waited.size(), ms);
    for (size_t i = 0; i < before.size(); ++i)
    {
        if (waited[i + 1].revents != 0)
        {
            Read(m_ranks[before[i]]);
        }
    }
    gone = waited.front().revents != 0;
    return missing();
}

LiveProgram::State
LiveProgram::Await(const std::vector<uint32_t>& ranks, bool any)
{
    bool gone = false;
    const size_t missing = ReadSome(ranks, LIVE_LOOK_MS, gone).size();
    if (missing == 0 || (any && missing < ranks.size()))
    {
        return State::READY;
    }
    if (Signals::WasTaken())
    {
        return State::INTERRUPTED;
    }
    if (gone)
    {
        NameGone();
        return State::GONE;
    }
    return State::LATE;
}

std::vector<uint32_t>
LiveProgram::Look(const std::vector<uint32_t>& ranks, int ms)
{
    bool gone = false; // which Await() says, once the rank holds time back
    const std::vector<uint32_t> missing = ReadSome(ranks, ms, gone);
    std::vector<uint32_t> found;
    for (const uint32_t rank : ranks)
    {
        if (std::find(missing.begin(), missing.end(), rank) == missing.end())
        {
            found.push_back(rank);
        }
    }
    return found;
}

/** The connections that ended are listed in the order in which they did. */
void
LiveProgram::NameGone()
{
    epoll_event first{};
    const int ended = epoll_wait(m_hangUps, &first, 1, 0);
    if (ended == 1 && m_gone.empty())
    {
        const uint32_t rank = first.data.u32;
        m_gone = "rank " + std::to_string(rank) + " (process " +
                 std::to_string(m_ranks[rank].process) + ") ended without MPI_Finalize";
    }
}

std::string
LiveProgram::TakeFrame(uint32_t rank)
{
    std::string& bytes = m_ranks[rank].bytes;
    const size_t length = FrameBytes(bytes);
    std::string frame = bytes.substr(LIVE_FRAME_LENGTH, length);
    bytes.erase(0, LIVE_FRAME_LENGTH + length);
    return frame;
}

void
LiveProgram::Send(uint32_t rank, const std::string& frame)
{
    for (size_t done = 0; done < frame.size();)
    {
        const ssize_t wrote =
            send(m_ranks[rank].socket, frame.data() + done, frame.size() - done, MSG_NOSIGNAL);
        if (wrote < 0 && errno != EINTR)
        {
            return;
        }
        done += wrote > 0 ? static_cast<size_t>(wrote) : 0;
    }
}

void
LiveProgram::Release(uint32_t rank)
{
    epoll_ctl(m_hangUps, EPOLL_CTL_DEL, m_ranks[rank].socket, nullptr);
}

} // namespace wormhole
