/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_LIVE_CLIENT_H
#define WORMHOLE_LIVE_CLIENT_H

#include <stdint.h>

/**
 * \file
 * What a rank says to `wormhole live`, and what it is answered: docs/reference/live-protocol.md. In
 * C, and without anything else of Wormhole; libwormhole-live.so uses it for programs of MPI.
 */

#ifdef __cplusplus
extern "C"
{
#endif

    /** First bytes of a connection; the last one is the version. */
#define WORMHOLE_LIVE_MAGIC "WHLIVE\0\1"
#define WORMHOLE_LIVE_MAGIC_BYTES 8

/** Longest frame, bytes. */
#define WORMHOLE_LIVE_MOST_BYTES (64u << 20)

    /** Kinds of messages. Those from WORMHOLE_LIVE_WAIT on are answered, and end their frame. */
    enum wormhole_live_kind
    {
        WORMHOLE_LIVE_COMMUNICATOR,
        WORMHOLE_LIVE_SEND,
        WORMHOLE_LIVE_RECEIVE,
        WORMHOLE_LIVE_MATCHED_RECEIVE, /**< of a message that a probe has taken */
        WORMHOLE_LIVE_COLLECTIVE,
        WORMHOLE_LIVE_NEIGHBORS,
        WORMHOLE_LIVE_CANCEL,
        WORMHOLE_LIVE_WAIT,
        WORMHOLE_LIVE_PROBE,
        WORMHOLE_LIVE_TOGETHER, /**< until all of a communicator are there */
        WORMHOLE_LIVE_FINISH,
        WORMHOLE_LIVE_UNSUPPORTED, /**< ends the run; not answered */
        WORMHOLE_LIVE_THREAD,      /**< the same, of a function that a second thread called */
        WORMHOLE_LIVE_KINDS
    };

    /** Bits of messages. */
    enum wormhole_live_bits
    {
        WORMHOLE_LIVE_ANY_SOURCE = 1,  /**< of a receive, a probe */
        WORMHOLE_LIVE_ANY_TAG = 2,     /**< of a receive, a probe */
        WORMHOLE_LIVE_TAKE = 4,        /**< of a probe: nobody else may match the message */
        WORMHOLE_LIVE_NOW = 8,         /**< of a wait, a probe: do not wait */
        WORMHOLE_LIVE_ALL = 16,        /**< of a wait: all requests must be over, not only one */
        WORMHOLE_LIVE_SYNCHRONOUS = 1, /**< of a send: over when it is received */
        WORMHOLE_LIVE_BUFFERED = 2     /**< of a send: over at once */
    };

    /** How a request ended. */
    enum wormhole_live_end
    {
        WORMHOLE_LIVE_DONE,
        WORMHOLE_LIVE_RECEIVED, /**< source, tag, bytes and number follow */
        WORMHOLE_LIVE_CANCELLED
    };

    /** A connection to the simulation. */
    struct wormhole_live_client;

    /**
     * Connects a rank to the simulation, and says who it is; wait for the answer before going on.
     * \param socket path, as in WORMHOLE_LIVE_SOCKET
     * \param rank from 0
     * \param ranks of the program
     * \return the connection; null, with errno set, if there is none
     */
    struct wormhole_live_client* wormhole_live_connect(const char* socket,
                                                       uint32_t rank,
                                                       uint32_t ranks);

    /**
     * Begins a message; wormhole_live_put() adds its numbers.
     * \param kind of enum wormhole_live_kind
     * \param function of MPI, by its number in traces; for people
     * \param computed ns of the rank's time since the message before
     */
    void wormhole_live_begin(struct wormhole_live_client* client,
                             uint8_t kind,
                             uint8_t function,
                             uint64_t computed);

    /** Adds a number to the message. */
    void wormhole_live_put(struct wormhole_live_client* client, uint64_t number);

    /** Sends all messages since the last one that was answered. \return 0; -1 if the simulation is
     * gone */
    int wormhole_live_ask(struct wormhole_live_client* client);

    /** Looks for the answer. \param timeout to wait for it, ms \return 1 if it is there, 0 if not,
     * -1 if the simulation is gone */
    int wormhole_live_look(struct wormhole_live_client* client, int timeout);

    /** \return the next number of the answer; 0 behind its end */
    uint64_t wormhole_live_get(struct wormhole_live_client* client);

#ifdef __cplusplus
}
#endif

#endif /* WORMHOLE_LIVE_CLIENT_H */
