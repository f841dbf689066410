#!/usr/bin/env bash
# Builds wormhole-simai: SimAI 1.6, of a tree of its own, above our network.
set -euo pipefail

usage() {
    cat <<'TEXT'
usage: scripts/simai.sh [--installed PREFIX] TREE [BUILD]

  TREE   a checkout of SimAI 1.6, such as commit f5efb5a9; nothing in it is changed
  BUILD  folder of a build of Wormhole, made if need be (default: build/release)

  --installed PREFIX  uses the Wormhole that `cmake --install` put into PREFIX, of the version of this checkout, and
                      builds the program alone (default of BUILD: build/installed)

Builds BUILD/bin/wormhole-simai with Debian's mimalloc, and installs that if it is missing. It needs none of
SimAI's submodules.
TEXT
}

# shellcheck source=scripts/front-end.sh
source "$(dirname "${BASH_SOURCE[0]}")/front-end.sh"
take_options simai "$@"

file=astra-sim-alibabacloud/astra-sim/system/MockNcclGroup.cc
if [[ ! -e $tree/$file ]]; then
    echo "simai: $tree/$file: there is no such file; $given must be a checkout of SimAI 1.6: git -C $given checkout f5efb5a9" >&2
    exit 2
fi
cd "$(dirname "${BASH_SOURCE[0]}")/.."
scripts/install-deps.sh simai
cmake --preset release -B "$build" -D WORMHOLE_INSTALLED="$installed" -D WORMHOLE_SIMAI="$tree" > /dev/null
cmake --build "$build" --target wormhole-simai
echo "simai: built $build/bin/wormhole-simai"
