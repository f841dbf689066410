#!/usr/bin/env bash
# Installs what is missing on a Debian 12 machine: "build" (default) or, in addition, "test".
set -euo pipefail

usage() {
    cat <<'TEXT'
usage: scripts/install-deps.sh [build | test | astra-sim | simai | mpi]

  build      what building and running Wormhole needs (the default)
  test       that, and the tools of scripts/test.sh: clang, linters, tshark, chromium
  astra-sim  what scripts/astra-sim.sh needs
  simai      what scripts/simai.sh needs: the same as build
  mpi        what building needs, and Open MPI for wormhole trace and mpirun wormhole run, whose tests are left
             out without it

Installs only what is missing, with apt-get; needs root or sudo if anything is.
TEXT
}

# chromium shows the pages of wormhole report, gnuplot draws for scripts/plot.sh
# and scripts/plot-sweep.py.
# protobuf is for Chakra traces only: without it, all else builds. Without mimalloc, fast mode is slower.
# ns3 belongs to libns3-dev: its CMake package refers to programs of the former. The libraries gsl
# and xml2 are what libns3-core links.
build_packages=(
    g++ cmake ninja-build ccache
    ns3 libns3-dev libgsl-dev libxml2-dev
    libboost-dev libboost-program-options-dev
    nlohmann-json3-dev libsqlite3-dev
    libprotobuf-dev protobuf-compiler
    libmimalloc-dev
)
test_packages=(
    libgtest-dev tshark git jq dpkg-dev file
    chromium gnuplot-nox
    clang lld libclang-rt-dev clang-format clang-tidy cppcheck
)

astra_packages=(libfmt-dev libspdlog-dev libyaml-cpp-dev)
mpi_packages=(libopenmpi-dev openmpi-bin)

case "${1:-build}" in
    build | simai) wanted=("${build_packages[@]}") ;;
    test) wanted=("${build_packages[@]}" "${test_packages[@]}") ;;
    astra-sim) wanted=("${build_packages[@]}" "${astra_packages[@]}") ;;
    mpi) wanted=("${build_packages[@]}" "${mpi_packages[@]}") ;;
    -h | --help) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
esac

if ! command -v dpkg-query > /dev/null || ! command -v apt-get > /dev/null; then
    echo "install-deps: not a Debian system; make sure of what these packages hold: ${wanted[*]}" >&2
    exit 0
fi

missing=()
for package in "${wanted[@]}"; do
    status=$(dpkg-query --show --showformat '${db:Status-Status}' "$package" 2> /dev/null || true)
    [[ $status == *installed && $status != *not-installed ]] || missing+=("$package")
done
if ((${#missing[@]} == 0)); then
    exit 0
fi

as_root=()
if ((EUID != 0)); then
    if ! command -v sudo > /dev/null; then
        echo "install-deps: missing ${missing[*]}; run as root: apt-get install ${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo)
fi

echo "install-deps: installing ${missing[*]}"
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -q
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -q -y --no-install-recommends "${missing[@]}"
