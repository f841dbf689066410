# The Debian package: `cpack -G DEB` in the build folder, after a build. Its version of the program is
# that of `cmake --install`, under /usr, without what only debuggers need.

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME wormhole-sim)
set(CPACK_PACKAGE_VENDOR "Wormhole authors")
set(CPACK_PACKAGE_CONTACT "Wormhole authors <wormhole@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "accelerated packet-level simulator of RDMA networks")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 0)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE gzip)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
    "Simulates congestion control, load balancing and topologies of training clusters packet by
packet, and leaves out packets whose fate is known. Holds the program, the ns-3 modules rdma,
workload and wormhole, and the library wormhole-kernel with headers and CMake package."
)
# What programs and libraries are linked with; headers and the CMake package need more.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS
    "libns3-dev, ns3, libgsl-dev, libxml2-dev, libsqlite3-dev, nlohmann-json3-dev"
)
set(CPACK_DEBIAN_PACKAGE_CONFLICTS magic-wormhole) # has a program of this name, too
include(CPack)
