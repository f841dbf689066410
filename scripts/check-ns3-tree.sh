#!/usr/bin/env bash
# Checks that the modules under contrib/ and the programs of scratch/ work inside an ns-3 source tree.
set -euo pipefail

usage() {
    cat <<'TEXT'
usage: scripts/check-ns3-tree.sh [--enable-mtp] [--against WORMHOLE] [--jobs N] TREE

Links the folders of contrib/ into TREE/contrib, and those and the programs of scratch/ into TREE/scratch,
configures TREE for these modules and what they need, builds, runs the modules' test suites and
examples, the programs, the command line and the front ends, and removes the links again.

The module wormhole builds the kernel of this project too, wormhole-kernel, from where its link leads: that
needs CMake 3.25, SQLite and nlohmann_json. The kernel's own tests are not run. The command line needs Boost's
program_options, too. The front ends run on stand-ins of the other simulators' interfaces.

TREE is the root of an ns-3 source tree, 3.37 or newer (the folder that holds the program `ns3`).
It is configured anew: what it was configured for before is lost. What of ns-3 these modules need is built and no more,
with assertions and logs, as a third of the compilations that ns-3 makes of it (cmake/TreeBuild.cmake).

  --enable-mtp  TREE is one of UNISON (https://github.com/NASA-NJU/UNISON-for-ns-3), which is configured with its
                multithreading: the same networks are run under ns-3's default implementation, under this project's, and
                on one thread and on two of UNISON's (contrib/rdma/examples/rdma-simulators.cc), and must have the same
                completion times
  --against WORMHOLE
                the command line of another build of this commit, such as build/release/bin/wormhole: both write the
                same bytes of results
  --jobs N      compilations at a time (default: one for each processor)

On Debian 12, `apt-get source ns3` gives such a tree, in ns3-3.37/ns-3.37.
TEXT
}

multithreaded=0
against=
jobs=$(nproc)
while [[ ${1:-} == -* ]]; do
    case "$1" in
        --enable-mtp) multithreaded=1 ;;
        --against)
            if [[ ! -f ${2:-} || ! -x ${2:-} ]]; then
                echo "check-ns3-tree: --against must be followed by a program, not '${2:-}'" >&2
                exit 2
            fi
            against=$(realpath "$2")
            shift
            ;;
        --jobs)
            if [[ ! ${2:-} =~ ^[1-9][0-9]{0,3}$ ]]; then
                echo "check-ns3-tree: --jobs must be followed by a number from 1 on, not '${2:-}'" >&2
                exit 2
            fi
            jobs=$2
            shift
            ;;
        -h | --help) usage; exit 0 ;;
        *) usage >&2; exit 2 ;;
    esac
    shift
done
(($# == 1)) || { usage >&2; exit 2; }
if [[ ! -x $1/ns3 || ! -f $1/VERSION || ! -d $1/contrib ]]; then
    echo "check-ns3-tree: $1 is not the root of an ns-3 source tree (no ns3, VERSION, contrib/)" >&2
    exit 2
fi
if ((multithreaded)) && [[ ! -d $1/src/mtp ]]; then
    echo "check-ns3-tree: $1 has no src/mtp, which --enable-mtp needs: it must be a tree of UNISON" >&2
    exit 2
fi
tree=$(cd "$1" && pwd)
project=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

if [[ ! -f $project/wormhole-kernel/CMakeLists.txt ]]; then
    echo "check-ns3-tree: $project/wormhole-kernel is missing, which the module wormhole needs" >&2
    exit 2
fi

links=()
# shellcheck disable=SC2317 # called by trap
remove_links() {
    ((${#links[@]} == 0)) || rm -f "${links[@]}"
}
trap remove_links EXIT

link_into_tree() {
    local link=$tree/$2
    if [[ -e $link || -L $link ]]; then
        echo "check-ns3-tree: $link exists already; remove it first" >&2
        exit 2
    fi
    ln -s "$1" "$link"
    links+=("$link")
}

modules=()
for list_file in "$project"/contrib/*/CMakeLists.txt; do
    folder=$(dirname "$list_file")
    module=$(basename "$folder")
    link_into_tree "$folder" "contrib/$module"
    modules+=("$module")
done
programs=()
for source in "$project"/scratch/*.cc; do
    program=$(basename "$source" .cc)
    link_into_tree "$source" "scratch/$program.cc"
    programs+=("$program")
done
for folder in wormhole front-ends; do
    link_into_tree "$project/scratch/$folder" "scratch/$folder"
done
list=$(IFS=';' && echo "${modules[*]}")
options=(--enable-modules "$list")
((!multithreaded)) || options=(--enable-mtp --enable-modules "$list;mtp")

cd "$tree"
# Programs of an earlier check that exist no more would be run again; ns-3 keeps where headers once were.
for module in "${modules[@]}"; do
    rm -rf "build/contrib/$module"
    grep -rlsF "\"$tree/contrib/$module/" build/include/ns3 | xargs -r rm || true
done
rm -rf build/scratch
# ns-3 refuses to work for a user called root, which is what containers have.
unset USER
profile=default # optimised, with assertions
./ns3 configure --build-profile="$profile" --enable-tests --enable-examples \
    "${options[@]}" --filter-module-examples-and-tests "$list" \
    -- -DCMAKE_PROJECT_INCLUDE="$project/cmake/TreeBuild.cmake"
cmake --build cmake-cache -j "$jobs" # `./ns3 build` takes one processor fewer than there are, or less

# Runs a program without arguments, in an empty folder, for it writes its results where it is started.
run_program() {
    local folder
    folder=$(mktemp -d)
    echo "== $1: $(basename "$2")"
    (cd "$folder" && timeout 300 "$tree/$2" > output.txt) || failed+=("$1: $(basename "$2")")
    rm -rf "$folder"
}

failed=()
for module in "${modules[@]}"; do
    if [[ -d $project/contrib/$module/test ]]; then
        echo "== $module: test suites"
        ./test.py --no-build --suite "$module*" || failed+=("suites of $module")
    fi
    for example in build/contrib/"$module"/examples/ns3*; do
        [[ ! -x $example ]] || run_program "$module" "$example"
    done
done
if ((multithreaded)); then
    echo "== multithreaded"
    said=$(timeout 300 build/contrib/rdma/examples/ns3*-rdma-simulators-"$profile") || failed+=("rdma-simulators")
    echo "$said"
    # Each scenario, on one thread and on two.
    [[ $(grep -c 'MTP, [12] threads*: the same times' <<< "$said") == 6 ]] || failed+=("completion times under MTP")
fi
for program in "${programs[@]}"; do
    run_program scratch "build/scratch/ns$(cat VERSION)-$program-$profile"
done

# expect FILE TEXT NAME ARGUMENT...: the program NAME succeeds, and then FILE has TEXT in it.
expect() {
    local file=$1 text=$2 name=$3
    shift 3
    echo "== scratch: $name"
    timeout 300 "$tree/build/scratch/ns$version-$name-$profile" "$@" > output.txt || failed+=("$name: exit code $?")
    grep -qF -- "$text" "$file" || failed+=("$name: '$text' is not in its $file")
}

# same_results ARGUMENT...: `wormhole run ARGUMENT...` wrote to out/ what the program of --against writes, except for
# summary.json, which names the build and the time that the run took.
same_results() {
    timeout 300 "$against" run "$@" --output other > output.txt || failed+=("$against run: exit code $?")
    diff -r --exclude=summary.json out other || failed+=("wormhole: results are not those of $against")
    rm -rf other
}

version=$(cat VERSION)
conf=$project/workloads/simai/simai.conf
workload=simai:file=$project/workloads/simai/two-layers-tp8.txt,send-latency=6,literal-latency=1,nvls=1
folder=$(mktemp -d)
cd "$folder"
for mode in packet fast; do # docs/how-to/simai-user.md has the times
    run=(--workload "$workload" --topology spectrum-x:gpus=8 --config "$conf" --mode "$mode")
    expect out/ncclFlowModel_EndToEnd.csv "354.906000,total comp,3600.000000,total time,3954.906000" \
        wormhole run "${run[@]}" --output out
    [[ -z $against ]] || same_results "${run[@]}"
    rm -rf out
done
# A message of 1000 bytes after 50 ns, over two links of 400 Gb/s and 500 ns: test/front_ends derives the times.
printf '3 1 0 1 2 A100\n2\n0 2 400Gbps 0.0005ms 0\n1 2 400Gbps 0.0005ms 0\n' > topo.txt
printf '0 compute 50\n0 send 1 7 1000 5\n1 receive 0 7 1000 5\n' > workload.txt
AS_SEND_LAT=2 expect output.txt "node 1 finished at 4094" simai-stand-in -w workload.txt -n topo.txt -c "$conf"
echo '{}' | tee system.json > memory.json
echo '{"logical-dims": ["2"]}' > logical.json
printf 'compute 50\ndeliver 1 7 1000\n' > trace.0.et
printf 'receive 0 7 1000\ncompute 5\n' > trace.1.et
expect output.txt "sys[1] finished, 2099 cycles" astra-sim-stand-in --workload-configuration=trace \
    --system-configuration=system.json --remote-memory-configuration=memory.json \
    --logical-topology-configuration=logical.json --topology star:hosts=2,rate=400Gbps,delay=500ns \
    --cc none --window pair --timing round --set ns3::RdmaNetwork::L2HeaderBytes=2
rm -r "$folder"

if ((${#failed[@]} > 0)); then
    printf 'check-ns3-tree: failed: %s\n' "${failed[@]}" >&2
    exit 1
fi
echo "check-ns3-tree: ${modules[*]}, ${programs[*]}, wormhole and the front ends passed in ns-3 $version"
