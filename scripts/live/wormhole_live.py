# SPDX-License-Identifier: GPL-2.0-only
"""A rank's side of `wormhole live`, in Python alone: docs/reference/live-protocol.md.

    client = Client.from_environment(rank, ranks)
    request = client.send(destination, tag, size)
    client.wait([request])
    print(client.seconds)
    client.finish()

Sizes alone count: data move by whatever the program likes. Time passes by the processor time of the
thread that calls, times the factor of --compute, and by compute().
"""

import os
import socket
import struct
import sys
import time

_MAGIC = b"WHLIVE\0\1"
_MOST_BYTES = 64 << 20

# Kinds of messages, and bits of them.
_SEND, _RECEIVE, _COLLECTIVE, _WAIT, _FINISH = 1, 2, 4, 7, 10
_ANY_SOURCE, _ANY_TAG, _NOW, _ALL = 1, 2, 8, 16

# The functions of MPI that messages belong to, by their numbers in traces
# (contrib/workload/helper/mpi/workload-mpi-format.h: WORKLOAD_MPI_CALLS).
_FUNCTIONS = {
    "Finalize": 0,
    "Isend": 5,
    "Irecv": 10,
    "Waitall": 18,
    "Test": 21,
    "Ibarrier": 57,
    "Ibcast": 58,
    "Ireduce": 59,
    "Iallreduce": 60,
    "Igather": 61,
    "Iscatter": 63,
    "Iallgather": 65,
    "Ialltoall": 67,
    "Ireduce_scatter_block": 71,
}

WORLD = 0  # the communicator of all ranks


class Gone(Exception):
    """The simulation has ended: it says why."""


def without_mpi():
    """Starts this program again without the library for MPI programs, if it is there: its clocks of
    the C library stand still while Python waits by them. Call it first."""
    if "libwormhole-live" in os.environ.get("LD_PRELOAD", ""):
        del os.environ["LD_PRELOAD"]
        os.execv(sys.executable, [sys.executable, *sys.argv])


class Client:
    """One rank of a program under `wormhole live`."""

    def __init__(self, path, rank, ranks, scale=0.0):
        """Connects; returns when simulated time begins.

        path: of the socket. scale: simulated ns for each ns of processor time; 0 for none.
        """
        self._scale = scale
        self._out = bytearray()
        self._requests = 0
        self._since = 0
        self._computed = 0
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.connect(path)
        self._out += _MAGIC + struct.pack("<III", rank, ranks, os.getpid())
        self.ps = self._ask()[0]

    @classmethod
    def from_environment(cls, rank, ranks):
        """Connects by what `wormhole live` has set for the programs that it starts."""
        path = os.environ.get("WORMHOLE_LIVE_SOCKET")
        if not path:
            raise Gone("no simulation: start the program by `wormhole live ... -- PROGRAM`")
        return cls(path, rank, ranks, float(os.environ.get("WORMHOLE_LIVE_SCALE", "0")))

    @property
    def seconds(self):
        """Simulated time at the last answer."""
        return self.ps / 1e12

    def compute(self, seconds):
        """The rank computes, in simulated time alone."""
        self._computed += round(seconds * 1e9)

    def send(self, destination, tag, size):
        """Sends size bytes. Returns a request."""
        request = self._request()
        self._message(_SEND, "Isend", WORLD, 0, destination, tag, size, request)
        return request

    def receive(self, source, tag):
        """Receives a message of a rank (None: of any) and tag (None: any). Returns a request."""
        request = self._request()
        bits = (_ANY_SOURCE if source is None else 0) | (_ANY_TAG if tag is None else 0)
        self._message(_RECEIVE, "Irecv", WORLD, bits, source or 0, tag or 0, request)
        return request

    def collective(self, function, size, element=1, root=0):
        """Begins a collective of all ranks, such as Iallreduce. Returns a request.

        size: bytes of the buffer, or of a member's block.
        """
        request = self._request()
        self._message(_COLLECTIVE, function, WORLD, root, size, element, 0, request, 0, 0)
        return request

    def wait(self, requests):
        """Waits for all. Returns what receives have got: {request: (source, tag, bytes)}."""
        if not requests:
            return {}
        self._message(_WAIT, "Waitall", _ALL, len(requests), *requests)
        answer = iter(self._ask())
        self.ps = next(answer)
        received = {}
        for _ in range(next(answer)):
            request, end = next(answer), next(answer)
            if end == 1:
                received[request] = (next(answer), next(answer), next(answer))
                next(answer)  # the message's number, for those who move data by it
        self._restart()
        return received

    def finish(self):
        """The rank is done."""
        self._message(_FINISH, "Finalize")
        self.ps = self._ask()[0]
        self._socket.close()

    def _request(self):
        self._requests += 1
        return self._requests

    def _message(self, kind, function, *numbers):
        spent = 0
        if self._scale > 0:
            now = time.thread_time_ns()
            spent = round((now - self._since) * self._scale)
            self._since = now
        self._out += bytes((kind, _FUNCTIONS[function]))
        for number in (spent + self._computed, *numbers):
            self._put(number)
        self._computed = 0

    def _put(self, number):
        while number > 0x7F:
            self._out.append(number & 0x7F | 0x80)
            number >>= 7
        self._out.append(number)

    def _restart(self):
        self._since = time.thread_time_ns()

    def _ask(self):
        """Sends what there is. Returns the numbers of the answer."""
        if len(self._out) > _MOST_BYTES:
            raise Gone("a frame of more than 64 MiB: wait more often")
        try:
            self._socket.sendall(struct.pack("<I", len(self._out)) + self._out)
            self._out.clear()
            (length,) = struct.unpack("<I", self._take(4))
            frame = self._take(length)
        except OSError as error:
            raise Gone(f"the simulation has ended ({error.strerror})") from error
        numbers, number, shift = [], 0, 0
        for byte in frame:
            number |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                numbers.append(number)
                number, shift = 0, 0
        self._restart()
        return numbers

    def _take(self, count):
        taken = bytearray()
        while len(taken) < count:
            block = self._socket.recv(count - len(taken))
            if not block:
                raise Gone("the simulation has ended")
            taken += block
        return bytes(taken)
