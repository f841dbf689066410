# shellcheck shell=bash
# For scripts/astra-sim.sh and scripts/simai.sh, which source it: what their command lines have in common.

# take_options NAME WORD...: sets installed (a prefix, or empty), given and tree (the other simulator's checkout,
# as given and resolved) and build (a folder, resolved). The caller has a function usage.
# shellcheck disable=SC2034  # they are the caller's
take_options() {
    local name=$1 config=lib/cmake/wormhole/wormholeConfig.cmake default=release
    shift
    installed=
    if [[ ${1:-} == --installed ]]; then
        if ! compgen -G "${2:-}/$config" > /dev/null && ! compgen -G "${2:-}/${config/\//\/*\/}" > /dev/null; then
            echo "$name: --installed ${2:-}: there is no $config; give the --prefix of cmake --install" >&2
            exit 2
        fi
        installed=$(realpath -- "$2")
        default=installed
        shift 2
    fi
    case "${1:-}" in
        -h | --help) usage; exit 0 ;;
        "" | -*) usage >&2; exit 2 ;;
    esac
    (($# <= 2)) || { usage >&2; exit 2; }
    given=$1
    tree=$(realpath -- "$1")
    build=$(realpath -m -- "${2:-$(dirname "${BASH_SOURCE[0]}")/../build/$default}")
}
