# Packages BUILD into WORK, unpacks it there without installing it, and lets the program run.

include(${CMAKE_CURRENT_LIST_DIR}/Commands.cmake)
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})

run(ignored ${CPACK} -G DEB --config ${BUILD}/CPackConfig.cmake -B ${WORK})
file(GLOB package ${WORK}/wormhole-sim_*.deb)
run(depends ${DPKG_DEB} --field ${package} Depends)
foreach(library IN ITEMS libns3 libsqlite3 libc6)
  expect("${depends}" "${library}")
endforeach()

run(ignored ${DPKG_DEB} --extract ${package} ${WORK}/root)
foreach(file IN ITEMS share/doc/wormhole-sim/copyright share/man/man1/wormhole.1
                      include/ns3/wormhole-helper.h include/wormhole/controller.h
                      lib/cmake/wormhole/wormholeConfig.cmake
)
  if(NOT EXISTS ${WORK}/root/usr/${file})
    message(FATAL_ERROR "the package has no /usr/${file}")
  endif()
endforeach()
run(table ${WORK}/root/usr/bin/wormhole run
    --topology ${WORK}/root/usr/share/wormhole/topologies/star-16.txt
    --traffic incast:fan-in=4,bytes=1MB --output results
)
expect("${table}" "4 of 4 completed")
file(REMOVE_RECURSE ${WORK})
