# Installs BUILD into WORK, moves the installation, and lets the program run and a project be built and
# run with what was moved. SOURCE is this project; COMPILER and LAUNCHER are what the project is built with.

include(${CMAKE_CURRENT_LIST_DIR}/Commands.cmake)
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
set(prefix ${WORK}/moved)

run(ignored ${CMAKE_COMMAND} --install ${BUILD} --config ${CONFIGURATION} --prefix ${WORK}/installed)
file(RENAME ${WORK}/installed ${prefix})

# Nothing in it refers to where it was built or installed.
foreach(place IN ITEMS ${BUILD} ${SOURCE} ${WORK}/installed)
  execute_process(COMMAND grep -rlF ${place} ${prefix} OUTPUT_VARIABLE files)
  if(files)
    message(FATAL_ERROR "these files refer to ${place}:\n${files}")
  endif()
endforeach()

run(version ${prefix}/bin/wormhole --version)
expect("${version}" "^wormhole [0-9]+\\.[0-9]+\\.[0-9]+\n.*ns-3 .*, profile .*build .*optimised.* as C\\+\\+[0-9]+\n$")
run(table ${prefix}/bin/wormhole run --topology ${prefix}/share/wormhole/topologies/star-16.txt
    --traffic incast:fan-in=4,bytes=1MB --output results
)
expect("${table}" "4 of 4 completed")

# Which version and which components there are is checked before anything else is looked for.
set(CMAKE_PREFIX_PATH ${prefix})
find_package(wormhole 99 QUIET)
expect("${wormhole_CONSIDERED_CONFIGS}" "${prefix}/")
if(wormhole_FOUND)
  message(FATAL_ERROR "version 99 is said to be installed")
endif()
find_package(wormhole QUIET COMPONENTS gpu)
if(wormhole_FOUND)
  message(FATAL_ERROR "a component gpu is said to be installed")
endif()
expect("${wormhole_NOT_FOUND_MESSAGE}" "no component gpu is installed, but kernel and modules")

run(ignored ${CMAKE_COMMAND} -S ${SOURCE}/test/consumer -B ${WORK}/consumer -G Ninja
    -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_CXX_COMPILER=${COMPILER}
    "-DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}"
)
run(ignored ${CMAKE_COMMAND} --build ${WORK}/consumer)
run(kernel ${WORK}/consumer/kernel-user ${WORK}/episodes.db)
expect("${kernel}" "^one partition, a store\n$")
run(scenario ${WORK}/consumer/scenario)
expect("${scenario}" "^completed, fast-forward left out [1-9][0-9]* crossings\n$")

# A congestion control of one's own, from nothing to a run.
run(commands ${prefix}/bin/wormhole new control Halving --output ${WORK}/halving)
expect("${commands}" "-D CMAKE_PREFIX_PATH=${prefix}\n")
run(ignored ${CMAKE_COMMAND} -S ${WORK}/halving -B ${WORK}/halving/build -G Ninja
    -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_CXX_COMPILER=${COMPILER}
    "-DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}"
)
run(ignored ${CMAKE_COMMAND} --build ${WORK}/halving/build)
run(table ${prefix}/bin/wormhole run --topology star:hosts=5 --traffic incast:fan-in=4,bytes=1MB
    --load ${WORK}/halving/build/Halving.so --cc ns3::Halving --output ${WORK}/results
)
expect("${table}" "4 of 4 completed")
file(REMOVE_RECURSE ${WORK})
