/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "wormhole-live-client.h"

#include <cerrno>
#include <cstring>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <vector>

namespace
{

constexpr size_t LENGTH_BYTES = 4;

/** Writes a number of fixed length, little endian. */
void
PutFixed(std::vector<unsigned char>& bytes, uint64_t number, size_t length)
{
    for (size_t i = 0; i < length; ++i)
    {
        bytes.push_back(static_cast<unsigned char>(number >> (8 * i)));
    }
}

} // namespace

struct wormhole_live_client
{
    int socket{-1};
    std::vector<unsigned char> out; //!< the frame that is written, its length first
    std::vector<unsigned char> in;  //!< the answer, its length first
    size_t read{0};                 //!< of the answer

    /** Begins the next frame. */
    void Begin()
    {
        out.assign(LENGTH_BYTES, 0);
    }

    /** \return bytes that the answer has, its length included, as far as that is known */
    size_t AnswerBytes() const
    {
        size_t length = 0;
        for (size_t i = 0; i < LENGTH_BYTES && i < in.size(); ++i)
        {
            length |= static_cast<size_t>(in[i]) << (8 * i);
        }
        return LENGTH_BYTES + length;
    }

    /** \return whether the answer is whole */
    bool IsAnswered() const
    {
        return in.size() >= LENGTH_BYTES && in.size() == AnswerBytes();
    }
};

wormhole_live_client*
wormhole_live_connect(const char* socketPath, uint32_t rank, uint32_t ranks)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (strlen(socketPath) >= sizeof(address.sun_path))
    {
        errno = ENAMETOOLONG;
        return nullptr;
    }
    strcpy(address.sun_path, socketPath);
    const int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (made < 0 || connect(made, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0)
    {
        const int error = errno;
        if (made >= 0)
        {
            close(made);
        }
        errno = error;
        return nullptr;
    }
    auto* client = new wormhole_live_client;
    client->socket = made;
    client->Begin();
    const char* const magic = WORMHOLE_LIVE_MAGIC;
    client->out.insert(client->out.end(), magic, magic + WORMHOLE_LIVE_MAGIC_BYTES);
    PutFixed(client->out, rank, 4);
    PutFixed(client->out, ranks, 4);
    PutFixed(client->out, static_cast<uint64_t>(getpid()), 4);
    if (wormhole_live_ask(client) != 0)
    {
        delete client;
        return nullptr;
    }
    return client;
}

void
wormhole_live_begin(wormhole_live_client* client, uint8_t kind, uint8_t function, uint64_t computed)
{
    client->out.push_back(kind);
    client->out.push_back(function);
    wormhole_live_put(client, computed);
}

void
wormhole_live_put(wormhole_live_client* client, uint64_t number)
{
    for (; number > 0x7f; number >>= 7)
    {
        client->out.push_back(static_cast<unsigned char>(number | 0x80));
    }
    client->out.push_back(static_cast<unsigned char>(number));
}

int
wormhole_live_ask(wormhole_live_client* client)
{
    std::vector<unsigned char>& out = client->out;
    const size_t length = out.size() - LENGTH_BYTES;
    for (size_t i = 0; i < LENGTH_BYTES; ++i)
    {
        out[i] = static_cast<unsigned char>(length >> (8 * i));
    }
    for (size_t done = 0; done < out.size();)
    {
        const ssize_t wrote =
            send(client->socket, out.data() + done, out.size() - done, MSG_NOSIGNAL);
        if (wrote < 0 && errno != EINTR)
        {
            return -1;
        }
        done += wrote > 0 ? static_cast<size_t>(wrote) : 0;
    }
    client->Begin();
    client->in.clear();
    client->read = LENGTH_BYTES;
    return 0;
}

int
wormhole_live_look(wormhole_live_client* client, int timeout)
{
    while (!client->IsAnswered())
    {
        pollfd waited{client->socket, POLLIN, 0};
        const int ready = poll(&waited, 1, timeout);
        if (ready <= 0)
        {
            return ready == 0 || errno == EINTR ? 0 : -1;
        }
        const size_t have = client->in.size();
        const size_t wanted = (have < LENGTH_BYTES ? LENGTH_BYTES : client->AnswerBytes()) - have;
        client->in.resize(have + wanted);
        const ssize_t got = recv(client->socket, client->in.data() + have, wanted, 0);
        client->in.resize(have + (got > 0 ? static_cast<size_t>(got) : 0));
        if (got == 0 || (got < 0 && errno != EINTR))
        {
            return -1;
        }
    }
    return 1;
}

uint64_t
wormhole_live_get(wormhole_live_client* client)
{
    uint64_t number = 0;
    for (int shift = 0; shift < 64 && client->read < client->in.size(); shift += 7)
    {
        const uint64_t byte = client->in[client->read++];
        number |= (byte & 0x7f) << shift;
        if (byte < 0x80)
        {
            break;
        }
    }
    return number;
}
