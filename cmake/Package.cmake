# What is installed beside the kernel and the modules' headers, and the Debian package of it all:
# `cpack -G DEB` in the build folder, after a build.

foreach(lib IN LISTS wormhole_modules)
  # In an ns-3 tree it is not theirs to export, but their headers include it.
  target_link_libraries(${lib} INTERFACE $<INSTALL_INTERFACE:nlohmann_json::nlohmann_json>)
endforeach()
wormhole_install_component(modules ${wormhole_modules})
wormhole_install_package()
install(TARGETS wormhole)
if(TARGET wormhole-load)
  install(TARGETS wormhole-load)
endif()
install(DIRECTORY topologies workloads DESTINATION ${CMAKE_INSTALL_DATADIR}/wormhole)
install(FILES README.md CHANGELOG.md LICENSE cmake/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(
  DIRECTORY docs
  DESTINATION ${CMAKE_INSTALL_DOCDIR}
  FILES_MATCHING PATTERN *.md PATTERN *.svg PATTERN *.png
)
# What draws the charts of reports is a part of the program.
install(
  FILES ${PROJECT_BINARY_DIR}/uplot/package/LICENSE
  DESTINATION ${CMAKE_INSTALL_DOCDIR}
  RENAME uPlot-LICENSE
  OPTIONAL
)
install(FILES docs/wormhole.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)

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
