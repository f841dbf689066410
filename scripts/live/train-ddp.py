#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Trains a small model with DistributedDataParallel, and says how long an iteration takes.

    wormhole live --topology star:hosts=4 --compute none -- scripts/live/train-ddp.py --ranks 4

All ranks have the same data, but for their share of each batch. --layer says how long a layer
computes; with --compute measured it is what the layer really takes, and --layer must be 0.
"""

import argparse
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import wormhole_live


def train(rank, options):
    import torch
    import torch.distributed as dist
    from torch.nn.parallel import DistributedDataParallel

    import wormhole_torch

    torch.manual_seed(1)
    torch.set_num_threads(1)
    store = dist.FileStore(options.store, options.ranks)
    dist.init_process_group("wormhole", store=store, rank=rank, world_size=options.ranks)
    client = wormhole_torch.client()

    class Layer(torch.nn.Linear):
        """A layer that takes its time in the simulation, forward and backward."""

        def forward(self, values):
            client.compute(options.layer)
            result = super().forward(values).tanh()
            result.register_hook(lambda gradient: client.compute(2 * options.layer))
            return result

    width = options.width
    model = DistributedDataParallel(
        torch.nn.Sequential(*[Layer(width, width) for _ in range(options.layers)]),
        bucket_cap_mb=options.bucket,
    )
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    inputs = torch.randn(8 * options.ranks, width)
    own = inputs[rank :: options.ranks]
    for iteration in range(options.iterations):
        began = client.seconds
        optimizer.zero_grad()
        loss = (model(own) - own).square().mean()
        loss.backward()
        optimizer.step()
        dist.barrier()
        if rank == 0:
            took = (client.seconds - began) * 1e6
            print(f"iteration {iteration}: {took:.3f} us, loss {loss.item():.4f}", flush=True)
    wormhole_torch.finish()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--iterations", type=int, default=3)
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--layer", type=float, default=100e-6, help="seconds of a layer forward")
    parser.add_argument("--bucket", type=float, default=0.2, help="MiB of a bucket of gradients")
    options = parser.parse_args()
    if options.ranks < 1 or options.layers < 1 or options.width < 1 or options.layer < 0:
        parser.error("--ranks, --layers and --width must be at least 1, --layer at least 0")
    folder = tempfile.TemporaryDirectory()
    options.store = os.path.join(folder.name, "store")
    children = []
    for rank in range(options.ranks):
        child = os.fork()
        if child == 0:
            try:
                train(rank, options)
                os._exit(0)
            except BaseException as error:  # whatever it is, the simulation must see us go
                print(f"rank {rank}: {error}", file=sys.stderr, flush=True)
                os._exit(1)
        children.append(child)
    failed = [child for child in children if os.waitpid(child, 0)[1] != 0]
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    if "WORMHOLE_LIVE_SOCKET" not in os.environ:
        sys.exit("train-ddp.py: start it by `wormhole live ... -- scripts/live/train-ddp.py`")
    wormhole_live.without_mpi()
    main()
