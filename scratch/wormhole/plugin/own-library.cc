/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "own-library.h"

#include "ns3/input-error.h"

#include <filesystem>

namespace fs = std::filesystem;

namespace wormhole
{

std::string
FindOwnLibrary(const std::string& name)
{
    const fs::path bin = fs::canonical("/proc/self/exe").parent_path();
    for (const char* folder : {WORMHOLE_BIN_TO_LIB, "../lib"})
    {
        const fs::path library = bin / folder / name;
        if (fs::exists(library))
        {
            return fs::canonical(library).string();
        }
    }
    throw ns3::InputError("there is no " + name + " beside " + bin.string() +
                          ": Wormhole was built without MPI; install it (Debian: libopenmpi-dev "
                          "openmpi-bin) and build again");
}

} // namespace wormhole
