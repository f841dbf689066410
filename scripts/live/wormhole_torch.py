# SPDX-License-Identifier: GPL-2.0-only
"""A back end of torch.distributed for `wormhole live`: torch.distributed.init_process_group("wormhole").

Tensors (on the CPU) really move, by Gloo. Their time is that of the simulated network: each
operation is said to the simulation, as MPI's functions of its kind, and a wait returns when it is
over there. Operations that are under way during a backward pass are waited for at its end, so that
buckets of DistributedDataParallel overlap with it.

One group of all ranks; sub-groups are refused. It needs torch 1.13 or newer with Gloo (Debian:
python3-torch).
"""

import torch
import torch.distributed as dist
from torch.distributed.distributed_c10d import ProcessGroupGloo

import wormhole_live

_client = None

_TAGS = 1  # those of messages count from here on; collectives have 0

_REDUCTIONS = {
    dist.ReduceOp.SUM: torch.add,
    dist.ReduceOp.PRODUCT: torch.mul,
    dist.ReduceOp.MIN: torch.minimum,
    dist.ReduceOp.MAX: torch.maximum,
}


def client():
    """The rank's connection, for compute() and seconds."""
    return _client


def _bytes_of(tensors):
    return sum(tensor.numel() * tensor.element_size() for tensor in tensors)


def _copies(tensors):
    return [tensor.clone() for tensor in tensors]


class _Work(dist._Work):
    """An operation on its way, in the simulation and in Gloo."""

    def __init__(self, request, inner, then=None):
        """inner: works of Gloo that this rank must wait for; then: what to do with their data."""
        super().__init__()
        self._request = request
        self._inner = inner
        self._then = then
        self._future = None

    def wait(self, timeout=None):
        self._ask()
        while self._inner:
            self._inner.pop(0).wait()
        if self._then is not None:
            self._then()
            self._then = None
        return True

    def is_completed(self):
        return self._request is None and not self._inner and self._then is None

    def get_future(self):
        """Whoever takes Gloo's future waits for it in C++. The simulation must be asked before:
        another rank may wait there for what this one says next. A backward pass asks at its end,
        before DistributedDataParallel waits; everything else here."""
        if self._future is None:
            self._future = self._inner[0].get_future()
            try:
                torch.autograd.Variable._execution_engine.queue_callback(self._ask)
            except RuntimeError:  # not in a backward pass
                self.wait()
        return self._future

    def _ask(self):
        if self._request is not None:
            _client.wait([self._request])
            self._request = None


class WormholeProcessGroup(dist.ProcessGroup):
    """All ranks of the program."""

    def __init__(self, store, rank, size, timeout):
        super().__init__(rank, size)
        global _client
        if _client is not None:
            raise NotImplementedError("wormhole: no groups of some ranks, only that of all")
        self._works = []
        self._given = []  # sends of Gloo that nobody waits for, and their data
        self._gloo = ProcessGroupGloo(dist.PrefixStore("gloo", store), rank, size, timeout=timeout)
        _client = wormhole_live.Client.from_environment(rank, size)

    def getBackendName(self):
        return "wormhole"

    def _collective(self, function, tensors, inner, root=0, then=None):
        element = tensors[0].element_size() if tensors else 1
        request = _client.collective(function, _bytes_of(tensors), element, root)
        return self._work(request, inner, then)

    def _work(self, request, inner, then=None):
        """Whoever gets it in C++ does not keep what Python knows of it: so it stays here."""
        self._works = [work for work in self._works if not work.is_completed()]
        self._works.append(_Work(request, inner, then))
        return self._works[-1]

    # A rank that is over may wait for nobody who is not: that one may wait in the simulation for
    # what this rank says next. Where all enter before anybody leaves, Gloo's collectives hold to it.
    # Otherwise data go straight to those who need them, as copies that nobody waits for.

    def allreduce(self, tensors, opts=None):
        inner = self._gloo.allreduce(tensors, opts or dist.AllreduceOptions())
        return self._collective("Iallreduce", tensors, [inner])

    def allgather(self, output, tensors, opts=None):
        return self._collective("Iallgather", tensors, [self._gloo.allgather(output, tensors)])

    def barrier(self, opts=None):
        return self._collective("Ibarrier", [], [self._gloo.barrier()])

    def broadcast(self, tensors, opts):
        inner = []
        if self.rank() == opts.rootRank:
            self._give_others([tensors] * self.size())
        else:
            inner = self._take_from(opts.rootRank, tensors)
        return self._collective("Ibcast", tensors, inner, opts.rootRank)

    def scatter(self, output, tensors, opts):
        inner = []
        if self.rank() == opts.rootRank:
            parts = tensors[0]
            self._give_others([[part] for part in parts])
            output[0].copy_(parts[self.rank()])
        else:
            inner = self._take_from(opts.rootRank, output)
        return self._collective("Iscatter", output, inner, opts.rootRank)

    def gather(self, output, tensors, opts):
        inner = []
        if self.rank() == opts.rootRank:
            inner = self._take_others([[part] for part in output[0]])
            output[0][self.rank()].copy_(tensors[0])
        else:
            self._give(opts.rootRank, tensors)
        return self._collective("Igather", tensors, inner, opts.rootRank)

    def reduce(self, tensors, opts):
        if self.rank() != opts.rootRank:
            self._give(opts.rootRank, tensors)
            return self._collective("Ireduce", tensors, [], opts.rootRank)
        operation = _REDUCTIONS[opts.reduceOp]
        parts = [_copies(tensors) for _ in range(self.size())]

        def combine():
            for part in parts[: self.rank()] + parts[self.rank() + 1 :]:
                for whole, more in zip(tensors, part):
                    whole.copy_(operation(whole, more))

        return self._collective(
            "Ireduce", tensors, self._take_others(parts), opts.rootRank, combine
        )

    def send(self, tensors, destination, tag=0):
        self._give(destination, tensors, _TAGS + tag)
        return self._work(_client.send(destination, tag, _bytes_of(tensors)), [])

    def recv(self, tensors, source, tag=0):
        inner = self._take_from(source, tensors, _TAGS + tag)
        return self._work(_client.receive(source, tag), inner)

    def _give(self, rank, tensors, tag=0):
        self._given = [given for given in self._given if not given[0].is_completed()]
        for tensor in _copies(tensors):
            self._given.append((self._gloo.send([tensor], rank, tag), tensor))

    def _give_others(self, parts):
        for rank, part in enumerate(parts):
            if rank != self.rank():
                self._give(rank, part)

    def _take_from(self, rank, tensors, tag=0):
        return [self._gloo.recv([tensor], rank, tag) for tensor in tensors]

    def _take_others(self, parts):
        return [
            work
            for rank, part in enumerate(parts)
            if rank != self.rank()
            for work in self._take_from(rank, part)
        ]

    def finish(self):
        """The rank is done, in the simulation and then in Gloo."""
        _client.finish()
        for work, _ in self._given:
            work.wait()


def finish():
    """The rank is done: call it in place of torch.distributed.destroy_process_group()."""
    dist.distributed_c10d._get_default_group().finish()


dist.Backend.register_backend("wormhole", WormholeProcessGroup)
