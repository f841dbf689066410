#!/usr/bin/env bash
# Builds wormhole-astra-sim: ASTRA-sim, of a tree of its own, above our network.
set -euo pipefail

usage() {
    cat <<'TEXT'
usage: scripts/astra-sim.sh [--installed PREFIX] TREE [BUILD]

  TREE   a checkout of ASTRA-sim; nothing in it is changed
  BUILD  folder of a build of Wormhole, made if need be (default: build/release)

  --installed PREFIX  uses the Wormhole that `cmake --install` put into PREFIX, of the version of this checkout, and
                      builds the program alone (default of BUILD: build/installed)

Builds BUILD/bin/wormhole-astra-sim with Debian's protobuf, fmt, spdlog and yaml-cpp, and installs those
that are missing. TREE needs two of its submodules:
  git -C TREE submodule update --init extern/graph_frontend/chakra extern/remote_memory_backend/analytical
TEXT
}

# shellcheck source=scripts/front-end.sh
source "$(dirname "${BASH_SOURCE[0]}")/front-end.sh"
take_options astra-sim "$@"

for file in astra-sim/system/Sys.hh extern/graph_frontend/chakra/src/feeder_v3/et_feeder.h \
    extern/remote_memory_backend/analytical/AnalyticalRemoteMemory.cc; do
    if [[ ! -e $tree/$file ]]; then
        echo "astra-sim: $tree/$file: there is no such file; $given must be a checkout of ASTRA-sim with submodules:" >&2
        echo "  git -C $given submodule update --init extern/graph_frontend/chakra extern/remote_memory_backend/analytical" >&2
        exit 2
    fi
done
cd "$(dirname "${BASH_SOURCE[0]}")/.."
scripts/install-deps.sh astra-sim
cmake --preset release -B "$build" -D WORMHOLE_INSTALLED="$installed" -D WORMHOLE_ASTRA_SIM="$tree" > /dev/null
cmake --build "$build" --target wormhole-astra-sim
echo "astra-sim: built $build/bin/wormhole-astra-sim"
