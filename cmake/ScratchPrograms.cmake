# For the folders of scratch/ with several files for a program: they build in this project as in the folder scratch/
# of an ns-3 source tree, which has links to them.
#
#   wormhole_root       the root of this project
#   wormhole_modules    what programs link
#   wormhole_is_tested  whether tests are wanted
#   wormhole_built      what `wormhole --version` says, as definitions for the compiler
#   wormhole_allocator  mimalloc where it is installed; sanitizers have an allocator of their own
#   add_program(...)    a program

cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH wormhole_root)
find_package(Boost REQUIRED COMPONENTS program_options)
find_package(nlohmann_json REQUIRED)

set(wormhole_version ${PROJECT_VERSION})
set(wormhole_is_tested ${BUILD_TESTING})
if(COMMAND build_exec) # an ns-3 tree
  file(STRINGS ${wormhole_root}/CMakeLists.txt project REGEX "^project\\(wormhole ")
  string(REGEX REPLACE ".* VERSION ([0-9.]+) .*" "\\1" wormhole_version "${project}")
  set(wormhole_modules ${ns3-libs} ${ns3-contrib-libs})
  set(wormhole_is_tested ${ENABLE_TESTS})
  set(ns3_VERSION ${NS3_VER})
  set(ns3_profile ${build_profile})
endif()
set(wormhole_built
    WORMHOLE_VERSION="${wormhole_version}"
    WORMHOLE_BUILD_TYPE="${CMAKE_BUILD_TYPE}"
    WORMHOLE_NS3_VERSION="${ns3_VERSION}"
    WORMHOLE_NS3_PROFILE="${ns3_profile}"
)

# Fast-forward takes and returns memory for each flow and each decision. mimalloc's `new` ends the program where there
# is no memory, so that of libstdc++, which throws and is above any malloc, comes before it.
set(wormhole_allocator)
if(NOT WORMHOLE_SANITIZE AND NOT NS3_SANITIZE)
  find_package(mimalloc QUIET)
  if(mimalloc_FOUND)
    # The program itself calls only `new`.
    set(wormhole_allocator stdc++ -Wl,--push-state,--no-as-needed mimalloc -Wl,--pop-state)
  endif()
endif()

# A program of SOURCES and LIBRARIES, and of all of the command line but its main(). In an ns-3 tree its target is
# scratch_NAME, and `./ns3 run NAME` runs it. Sets `program` to its target.
function(add_program name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBRARIES" ${ARGN})
  set(target ${name})
  if(COMMAND build_exec)
    set(target scratch_${name})
    build_exec(
      EXECNAME ${name}
      EXECNAME_PREFIX scratch_
      SOURCE_FILES ${ARG_SOURCES}
      LIBRARIES_TO_LINK wormhole-cli ${ARG_LIBRARIES}
      EXECUTABLE_DIRECTORY_PATH ${CMAKE_OUTPUT_DIRECTORY}/scratch
      IGNORE_PCH
    )
  else()
    add_executable(${target} ${ARG_SOURCES})
    target_link_libraries(${target} PRIVATE wormhole-cli ${ARG_LIBRARIES})
  endif()
  # All objects, also those that nothing refers to: a file with a congestion control registers it.
  target_sources(${target} PRIVATE $<TARGET_OBJECTS:wormhole-cli>)
  set(program ${target} PARENT_SCOPE)
endfunction()
