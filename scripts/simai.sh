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

Builds BUILD/bin/wormhole-simai. It needs none of SimAI's submodules.
TEXT
}

installed=
build=release
if [[ ${1:-} == --installed ]]; then
    config=lib/cmake/wormhole/wormholeConfig.cmake
    if ! compgen -G "${2:-}/$config" > /dev/null && ! compgen -G "${2:-}/${config/\//\/*\/}" > /dev/null; then
        echo "simai: --installed ${2:-}: there is no $config; give the --prefix of cmake --install" >&2
        exit 2
    fi
    installed=$(realpath -- "$2")
    build=installed
    shift 2
fi
case "${1:-}" in
    -h | --help) usage; exit 0 ;;
    "" | -*) usage >&2; exit 2 ;;
esac
(($# <= 2)) || { usage >&2; exit 2; }

tree=$(realpath -- "$1")
file=astra-sim-alibabacloud/astra-sim/system/MockNcclGroup.cc
if [[ ! -e $tree/$file ]]; then
    echo "simai: $tree/$file: there is no such file; $1 must be a checkout of SimAI 1.6: git -C $1 checkout f5efb5a9" >&2
    exit 2
fi
build=$(realpath -m -- "${2:-$(dirname "${BASH_SOURCE[0]}")/../build/$build}")

cd "$(dirname "${BASH_SOURCE[0]}")/.."
scripts/install-deps.sh build
cmake --preset release -B "$build" -D WORMHOLE_INSTALLED="$installed" -D WORMHOLE_SIMAI="$tree" > /dev/null
cmake --build "$build" --target wormhole-simai
echo "simai: built $build/bin/wormhole-simai"
