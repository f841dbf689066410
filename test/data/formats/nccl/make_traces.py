#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Writes traces of a program that communicates by NCCL, as Nsight Systems and PyTorch's profiler would have
recorded them: SQLite exports by the schema that Nsight Systems documents (one per server), and Kineto's JSON
(one per rank). There is no GPU behind them: times are made up, clocks of servers are seconds apart.

The program: servers of --gpus GPUs. In each iteration, GPUs of a server all-reduce activations; all ranks gather
and reduce-scatter parameters on a stream of its own; each rank exchanges a message with the next server; the first
rank broadcasts."""

import argparse
import json
import os
import sqlite3
import struct

NCCL, HASHES = 1, 0xC0FFEE0000000000  # NVTX domain, first communicator
RUN, WORLD_STREAM, SERVER_STREAM, MESSAGE_STREAM = 7, 20, 24, 28
INT, UINT64, SIZE = 5, 18, 22  # NVTX's types
RANKS, RANK, DEVICE = "No. of ranks", "Rank", "CUDA device"
COMM, BYTES, PEER, ROOT = "NCCL communicator ID", "Message size [bytes]", "Peer rank", "Root"
SCHEMAS = {  # by number: size, and type, name, offset
    16777218: (24, [(UINT64, COMM, None), (INT, RANKS, 8), (INT, RANK, 12), (INT, DEVICE, 16)]),
    16777220: (16, [(UINT64, COMM, None), (SIZE, BYTES, 8)]),
    16777222: (24, [(UINT64, COMM, None), (SIZE, BYTES, 8), (INT, ROOT, 16)]),
    16777223: (24, [(UINT64, COMM, None), (SIZE, BYTES, 8), (16777232, "Reduction operation", 16)]),
    16777226: (24, [(UINT64, COMM, None), (SIZE, BYTES, 8), (INT, PEER, 16)]),
}
SCHEMA_OF = {"AllReduce": 16777223, "AllGather": 16777220, "ReduceScatter": 16777223, "Broadcast": 16777222,
             "Send": 16777226, "Recv": 16777226}
KERNELS = {"AllReduce": "ncclDevKernel_AllReduce_Sum_bf16_RING_LL", "AllGather": "ncclDevKernel_AllGather_RING_LL",
           "ReduceScatter": "ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL",
           "Broadcast": "ncclDevKernel_Broadcast_RING_LL", "Send": "ncclDevKernel_SendRecv",
           "Recv": "ncclDevKernel_SendRecv"}
COLLECTIVE_NAMES = {"AllReduce": "allreduce", "AllGather": "_allgather_base",
                    "ReduceScatter": "_reduce_scatter_base", "Broadcast": "broadcast", "Send": "send",
                    "Recv": "recv"}
ARGUMENTS = "(ncclDevKernelArgsStorage<(unsigned long)4096>)"


class Kernel:
    """What a stream of a GPU ran: calls are (function, communicator, elements of 2 bytes, peer)."""

    def __init__(self, stream, start, end, name, calls=(), channels=8, threads=544):
        self.stream, self.start, self.end, self.name = stream, start, end, name
        self.calls, self.channels, self.threads = list(calls), channels, threads


class Rank:
    """A GPU: what it ran, on a clock that starts at `now` nanoseconds."""

    def __init__(self, rank, now):
        self.rank, self.now, self.kernels, self.free = rank, now, [], {}

    def compute(self, ns, kernels):
        for part in range(kernels):
            start = self.now + ns * part // kernels
            self.kernels.append(Kernel(RUN, start, self.now + ns * (part + 1) // kernels, "void gemm<float>(int)"))
        self.now += ns

    def communicate(self, stream, ns, calls, wait, **shape):
        start = max(self.now, self.free.get(stream, 0))
        name = KERNELS[calls[0][0]] + ARGUMENTS
        self.kernels.append(Kernel(stream, start, start + ns, name, calls, **shape))
        self.free[stream] = start + ns
        if wait:
            self.now = start + ns


def communicators(ranks, gpus):
    """Returns members by name: all ranks, and those of each server."""
    groups = {"0": list(range(ranks))}
    for server in range(ranks // gpus):
        groups[str(server + 1)] = list(range(server * gpus, (server + 1) * gpus))
    return groups


def program(rank, arguments):
    """Returns what a rank ran."""
    gpus, ranks = arguments.gpus, arguments.ranks
    gpu = Rank(rank, 10**9 * (10 + 7 * (rank // gpus)) + 1000 * rank)
    server = str(rank // gpus + 1)
    gpu.compute(50_000, arguments.kernels)
    gpu.communicate(WORLD_STREAM, 30_000, [("Broadcast", "0", 4096, 0)], True, channels=1, threads=160)
    for _ in range(arguments.iterations):
        gpu.communicate(WORLD_STREAM, 400_000, [("AllGather", "0", 2**20, None)], False)
        gpu.compute(120_000 + 10 * rank, arguments.kernels)
        gpu.communicate(SERVER_STREAM, 90_000, [("AllReduce", server, 2**19, None)], True, channels=4)
        gpu.compute(80_000, arguments.kernels)
        gpu.communicate(SERVER_STREAM, 20_000, [("AllReduce", server, 2048, None)], True, channels=1, threads=256)
        after, before = (rank + gpus) % ranks, (rank - gpus) % ranks
        gpu.compute(40_000, arguments.kernels)
        gpu.communicate(MESSAGE_STREAM, 150_000,
                        [("Send", "0", 2**18, after), ("Recv", "0", 2**18, before)], True, threads=640)
        gpu.compute(60_000, arguments.kernels)
        gpu.communicate(WORLD_STREAM, 500_000, [("ReduceScatter", "0", 2**20, None)], True)
    gpu.compute(25_000, arguments.kernels)
    return gpu.kernels


def payload(schema, values):
    size, entries = SCHEMAS[schema]
    data = bytearray(size)
    for kind, name, offset in entries:
        if name in values:
            struct.pack_into("<i" if kind == INT else "<Q", data, offset or 0, values[name])
    return struct.pack("<IIIIQQ", NCCL, 0, schema, 0, size, 32 + size) + bytes(data)


class Export:
    """An export of Nsight Systems."""

    def __init__(self, path):
        if os.path.exists(path):
            os.remove(path)
        self.data, self.strings, self.correlation = sqlite3.connect(path), {}, 100
        self.data.executescript("""PRAGMA page_size = 512; PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF;
          CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
          CREATE TABLE META_DATA_EXPORT (name TEXT, value TEXT);
          CREATE TABLE NVTX_PAYLOAD_SCHEMAS (domainId INTEGER, schemaId INTEGER, name TEXT, type INTEGER,
            flags INTEGER, numEntries INTEGER, payloadSize INTEGER, alignTo INTEGER);
          CREATE TABLE NVTX_PAYLOAD_SCHEMA_ENTRIES (domainId INTEGER NOT NULL, schemaId INTEGER NOT NULL,
            idx INTEGER NOT NULL, flags INTEGER, type INTEGER, name TEXT, description TEXT,
            arrayOrUnionDetail INTEGER, offset INTEGER);
          CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL, rangeId INTEGER,
            category INTEGER, color INTEGER, text TEXT, globalTid INTEGER, endGlobalTid INTEGER, textId INTEGER,
            domainId INTEGER, uint64Value INTEGER, int64Value INTEGER, doubleValue REAL, uint32Value INTEGER,
            int32Value INTEGER, floatValue REAL, jsonTextId INTEGER, jsonText TEXT, binaryData TEXT);
          CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, end INTEGER NOT NULL,
            eventClass INTEGER NOT NULL, globalTid INTEGER, correlationId INTEGER, nameId INTEGER NOT NULL,
            returnValue INTEGER NOT NULL, callchainId INTEGER);
          CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL,
            deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, streamId INTEGER NOT NULL, correlationId INTEGER,
            globalPid INTEGER, demangledName INTEGER NOT NULL, shortName INTEGER NOT NULL, gridX INTEGER NOT NULL,
            gridY INTEGER NOT NULL, gridZ INTEGER NOT NULL, blockX INTEGER NOT NULL, blockY INTEGER NOT NULL,
            blockZ INTEGER NOT NULL);""")
        self.data.execute("INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_SCHEMA_VERSION', '3.25.0')")
        for schema, (size, entries) in SCHEMAS.items():
            self.data.execute("INSERT INTO NVTX_PAYLOAD_SCHEMAS VALUES (?, ?, NULL, 1, NULL, ?, ?, NULL)",
                              (NCCL, schema, len(entries), size))
            for index, (kind, name, offset) in enumerate(entries):
                self.data.execute("INSERT INTO NVTX_PAYLOAD_SCHEMA_ENTRIES VALUES (?, ?, ?, NULL, ?, ?, NULL, NULL, ?)",
                                  (NCCL, schema, index, kind, name, offset))

    def string(self, text):
        if text not in self.strings:
            self.strings[text] = len(self.strings) + 1
            self.data.execute("INSERT INTO StringIds VALUES (?, ?)", (self.strings[text], text))
        return self.strings[text]

    def range(self, start, end, name, thread, blob=None):
        self.data.execute("INSERT INTO NVTX_EVENTS (start, end, eventType, globalTid, textId, domainId, binaryData) "
                          "VALUES (?, ?, 59, ?, ?, ?, ?)", (start, end, thread, self.string(name), NCCL, blob))

    def kernel(self, kernel, process, thread, device):
        self.correlation += 1
        launch = kernel.start - 6_000
        self.data.execute("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (?, ?, 0, ?, ?, ?, 0, NULL)",
                          (launch, launch + 3_000, thread, self.correlation, self.string("cuLaunchKernelEx")))
        name = self.string(kernel.name)
        self.data.execute("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (?, ?, ?, 1, ?, ?, ?, ?, ?, ?, 1, 1, ?, 1, 1)",
                          (kernel.start, kernel.end, device, kernel.stream, self.correlation, process, name, name,
                           kernel.channels, kernel.threads))
        if kernel.calls:
            self.calls(kernel, thread, launch)

    def calls(self, kernel, thread, launch):
        group = len(kernel.calls) > 1
        if group:
            self.range(launch - 900, launch - 800, "ncclGroupStart", thread)
        for index, (function, group_name, elements, peer) in enumerate(kernel.calls):
            schema = SCHEMA_OF[function]
            values = {COMM: HASHES + int(group_name), BYTES: 2 * elements, PEER: peer, ROOT: peer}
            blob = payload(schema, {name: value for name, value in values.items() if value is not None})
            start = launch - 700 + 100 * index if group else launch - 500
            self.range(start, start + 50 if group else launch + 4_000, "nccl" + function, thread, blob)
        if group:
            self.range(launch - 100, launch + 4_000, "ncclGroupEnd", thread)


def write_exports(folder, arguments):
    groups = communicators(arguments.ranks, arguments.gpus)
    for server in range(arguments.ranks // arguments.gpus):
        export = Export(os.path.join(folder, f"server-{server}.sqlite"))
        for device in range(arguments.gpus):
            rank = server * arguments.gpus + device
            process = (server << 48) | ((100 + rank) << 24)
            for name, members in groups.items():
                if rank in members:
                    values = {COMM: HASHES + int(name), RANKS: len(members), RANK: members.index(rank), DEVICE: device}
                    export.range(10, 20, "ncclCommInitRankConfig", process | 1, payload(16777218, values))
            for kernel in program(rank, arguments):
                export.kernel(kernel, process, process | 1, device)
        export.data.commit()
        export.data.close()


def communication(call, groups, rank):
    """Returns the arguments of an event that say what NCCL was called for."""
    function, name, elements, peer = call
    members = len(groups[name])
    given = {"Collective name": COLLECTIVE_NAMES[function], "dtype": "BFloat16", "Group size": members,
             "In msg nelems": elements * (members if function == "ReduceScatter" else 1),
             "Out msg nelems": elements * (members if function == "AllGather" else 1),
             "In split size": "[]", "Out split size": "[]", "Process Group Name": name,
             "Process Group Ranks": str(groups[name]), "Rank": rank if peer is None else peer}
    if function in ("Send", "Recv"):
        given["Dst Rank" if function == "Send" else "Src Rank"] = groups[name][peer]
    return given


def micro(ns):
    return json.loads(f"{ns // 1000}.{ns % 1000:03}")


def kineto_events(rank, arguments, groups):
    for number, kernel in enumerate(program(rank, arguments), 1):
        launch = kernel.start - 6_000
        yield {"ph": "X", "cat": "cuda_driver", "name": "cuLaunchKernelEx", "pid": 1, "tid": 1, "ts": micro(launch),
               "dur": 3.0, "args": {"correlation": number}}
        given = {"External id": number, "device": rank % arguments.gpus, "context": 1, "stream": kernel.stream,
                 "correlation": number, "grid": [kernel.channels, 1, 1], "block": [kernel.threads, 1, 1]}
        if len(kernel.calls) == 1:
            given.update(communication(kernel.calls[0], groups, rank))
        for index, call in enumerate(kernel.calls if len(kernel.calls) > 1 else []):
            yield {"ph": "X", "cat": "cpu_op", "name": "record_param_comms", "pid": 1, "tid": 1,
                   "ts": micro(launch - 700 + 100 * index), "dur": 0.05,
                   "args": {"External id": 10**6 + 10 * number + index, **communication(call, groups, rank)}}
        yield {"ph": "X", "cat": "kernel", "name": kernel.name, "pid": rank % arguments.gpus, "tid": kernel.stream,
               "ts": micro(kernel.start), "dur": micro(kernel.end - kernel.start), "args": given}


def write_kineto(folder, arguments):
    groups = communicators(arguments.ranks, arguments.gpus)
    for rank in range(arguments.ranks):
        config = [{"pg_name": name, "pg_desc": "", "backend_config": "cuda:nccl", "pg_size": len(members),
                   "ranks": members} for name, members in groups.items() if rank in members]
        head = {"schemaVersion": 1, "distributedInfo": {"backend": "nccl", "rank": rank, "world_size": arguments.ranks,
                                                        "pg_count": len(config), "pg_config": config}}
        with open(os.path.join(folder, f"rank-{rank}.json"), "w", encoding="ascii") as out:
            out.write(json.dumps(head)[:-1] + ', "traceEvents": [')
            for index, event in enumerate(kineto_events(rank, arguments, groups)):
                out.write((",\n" if index else "\n") + json.dumps(event))
            out.write("\n]}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", help="to write to: server-*.sqlite and rank-*.json")
    parser.add_argument("--ranks", type=int, default=4)
    parser.add_argument("--gpus", type=int, default=2, help="of a server (default 2)")
    parser.add_argument("--iterations", type=int, default=2)
    parser.add_argument("--kernels", type=int, default=1, help="of each computation (default 1)")
    arguments = parser.parse_args()
    if arguments.gpus < 1 or arguments.ranks < arguments.gpus or arguments.ranks % arguments.gpus:
        parser.error("there must be one server at least, all of them full")
    os.makedirs(arguments.folder, exist_ok=True)
    write_exports(arguments.folder, arguments)
    write_kineto(arguments.folder, arguments)


main()
