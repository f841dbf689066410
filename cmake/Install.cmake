# Where things are installed, relative to the prefix, so that an installation can be moved; and the
# CMake package `wormhole`, whose components are kernel and modules.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(CMAKE_INSTALL_DOCDIR share/doc/wormhole-sim)
set(WORMHOLE_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/wormhole)
set(WORMHOLE_INSTALL_CMAKE_DIR ${CMAKE_CURRENT_LIST_DIR})

# Programs and libraries find our libraries from where they are themselves, and ns-3 where it was
# found, if that is none of the system's folders.
file(RELATIVE_PATH bin_to_lib /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
set(CMAKE_INSTALL_RPATH "$ORIGIN/${bin_to_lib};$ORIGIN")
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)

# Installs TARGETS as the component COMPONENT of the package: wormhole::NAME is the target whose
# EXPORT_NAME is NAME.
function(wormhole_install_component component)
  install(
    TARGETS ${ARGN}
    EXPORT wormhole-${component}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  )
  install(
    EXPORT wormhole-${component}
    FILE component-${component}.cmake
    NAMESPACE wormhole::
    DESTINATION ${WORMHOLE_PACKAGE_DIR}
  )
endfunction()

# Installs what find_package(wormhole) reads first.
function(wormhole_install_package)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/package)
  # Libraries of one release of ns-3 do not fit another; a development version has no number.
  set(WORMHOLE_NS3_REQUIREMENT "")
  if(ns3_VERSION MATCHES "^[0-9.]+$")
    set(WORMHOLE_NS3_REQUIREMENT "${ns3_VERSION} EXACT")
  endif()
  configure_package_config_file(
    ${WORMHOLE_INSTALL_CMAKE_DIR}/wormholeConfig.cmake.in ${folder}/wormholeConfig.cmake
    INSTALL_DESTINATION ${WORMHOLE_PACKAGE_DIR}
    NO_SET_AND_CHECK_MACRO
  )
  # Before 1.0, a new minor version may change what programs rely on.
  write_basic_package_version_file(
    ${folder}/wormholeConfigVersion.cmake COMPATIBILITY SameMinorVersion
  )
  install(FILES ${folder}/wormholeConfig.cmake ${folder}/wormholeConfigVersion.cmake
                ${folder}/wormholePlugin.cmake ${folder}/wormholePlugin.cc
          DESTINATION ${WORMHOLE_PACKAGE_DIR}
  )
endfunction()
