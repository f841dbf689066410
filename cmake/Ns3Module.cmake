# The part of ns-3's build system that a contrib module uses, for a build against an installed ns-3:
#
#   ${libcore}, ${libnetwork}, ...  the libraries of ns-3, by the names an ns-3 tree gives them
#   build_lib(...)                  a module: library, headers, tests, examples
#   build_lib_example(...)          an example of the module
#
# The arguments are those of ns-3's own build-support, so a module's CMakeLists.txt serves both.

set(NS3_HEADER_DIR ${CMAKE_BINARY_DIR}/include)
set(NS3_MODULE_CMAKE_DIR ${CMAKE_CURRENT_LIST_DIR})

# Sets ${libcore} and so on for every library that find_package(ns3) imported. Newer releases of
# ns-3 export ns3::core instead of ns3::libcore.
function(wormhole_import_ns3_libraries)
  get_property(imported DIRECTORY PROPERTY IMPORTED_TARGETS)
  foreach(target IN LISTS imported)
    if(target MATCHES "^ns3::(lib)?(.+)$")
      set(lib${CMAKE_MATCH_2} ${target} PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

# Sets OUT to the profile that ns-3 was built with, which it appends to its libraries' names: debug,
# default (optimised, with assertions), optimized; "release" appends nothing.
function(wormhole_ns3_profile out)
  get_target_property(library ${libcore} LOCATION)
  set(profile release)
  if(library MATCHES "-core-([a-z]+)[^/]*$")
    set(profile ${CMAKE_MATCH_1})
  endif()
  if(profile MATCHES "^(debug|default)$")
    message(WARNING "ns-3 was built with assertions (profile ${profile}), which cost time: for "
                    "experiments, configure it with --build-profile=optimized"
    )
  endif()
  set(${out} ${profile} PARENT_SCOPE)
endfunction()

# Makes the headers reachable as "ns3/NAME.h", all modules in one folder, as in an ns-3 tree. Private
# ones are not installed, and so public ones cannot include them.
# A header that only includes the real one is rewritten only when it changes, so that configuring
# again does not rebuild everything.
function(forward_headers module)
  cmake_parse_arguments(ARG "" "" "PUBLIC;PRIVATE" ${ARGN})
  set(umbrella "")
  set(public_includes "")
  foreach(header IN LISTS ARG_PUBLIC ARG_PRIVATE)
    cmake_path(ABSOLUTE_PATH header OUTPUT_VARIABLE path)
    cmake_path(GET path FILENAME name)
    file(CONFIGURE OUTPUT ${NS3_HEADER_DIR}/ns3/${name} CONTENT "#include \"${path}\"\n" @ONLY)
    if(NOT header IN_LIST ARG_PRIVATE)
      string(APPEND umbrella "#include \"ns3/${name}\"\n")
      file(STRINGS ${path} includes REGEX "^#include \"")
      string(APPEND public_includes "${includes}")
    elseif(public_includes MATCHES "[\"/]${name}\"")
      message(FATAL_ERROR "a public header of ${module} includes ${name}, which is private")
    endif()
  endforeach()
  file(CONFIGURE OUTPUT ${NS3_HEADER_DIR}/ns3/${module}-module.h
       CONTENT "#pragma once\n${umbrella}" @ONLY
  )
endfunction()

# Headers and documents of a module; its library is installed with those of the others.
function(install_module_files module)
  install(FILES ${ARGN} ${NS3_HEADER_DIR}/ns3/${module}-module.h
          DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ns3
  )
  install(DIRECTORY doc DESTINATION ${CMAKE_INSTALL_DOCDIR}/contrib/${module} OPTIONAL)
endfunction()

# One program that runs the module's tests: ns-3 suites, each an entry of ctest, and GoogleTest tests
# (contrib/input/test/module-tests.cmake), each an entry, too, and besides in suites made of them.
function(build_module_tests module)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBRARIES" ${ARGN})
  set(runner ${module}-test-runner)
  set(gtests ${ARG_SOURCES})
  list(FILTER gtests INCLUDE REGEX "-gtest\\.cc$")
  wormhole_wanted_tests(sources ${ARG_SOURCES})
  add_executable(${runner} ${NS3_MODULE_CMAKE_DIR}/ns3-test-runner.cc ${sources})
  target_link_libraries(${runner} PRIVATE lib${module} ${ARG_LIBRARIES})
  target_compile_options(${runner} PRIVATE ${WORMHOLE_TEST_OPTIONS})
  # The tests of a folder may be compiled as one: then names differ within a folder only.
  set_target_properties(${runner} PROPERTIES UNITY_BUILD_MODE GROUP)
  foreach(source IN LISTS sources)
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(GET folder FILENAME folder)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder})
  endforeach()
  if(CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # A fixture in an unnamed namespace, of a class with linkage: GCC warns of it except in the file that it compiles.
    target_compile_options(${runner} PRIVATE -Wno-subobject-linkage)
  endif()
  target_include_directories(
    ${runner} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/test ${PROJECT_SOURCE_DIR}/contrib/input/test
  )
  target_compile_definitions(
    ${runner} PRIVATE NS_TEST_SOURCEDIR="${CMAKE_CURRENT_SOURCE_DIR}/test"
                      WORMHOLE_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
  )
  if(gtests)
    include(GoogleTest)
    target_link_libraries(${runner} PRIVATE GTest::gtest)
    target_compile_definitions(${runner} PRIVATE RUNNER_HAS_GTESTS)
    # What nearly every file includes takes longer to read than the rest of it.
    target_precompile_headers(
      ${runner} PRIVATE <gtest/gtest.h> <nlohmann/json.hpp> <algorithm> <map> <sstream> <string> <vector>
      <ns3/object.h> <ns3/simulator.h> <ns3/test.h>
    )
    set(discovery TEST_PREFIX ${module}. DISCOVERY_TIMEOUT 60)
    gtest_discover_tests(
      ${runner} ${discovery} TEST_FILTER -*Slow* PROPERTIES LABELS quick TIMEOUT 120
    )
    gtest_discover_tests(
      ${runner} ${discovery} TEST_FILTER *Slow* PROPERTIES LABELS slow TIMEOUT 1200
    )
  endif()

  # The names of the suites are known once the runner is linked: it is asked for them then.
  set(suites ${CMAKE_CURRENT_BINARY_DIR}/${runner}-suites.cmake)
  add_custom_command(
    TARGET ${runner}
    POST_BUILD
    COMMAND ${CMAKE_COMMAND} -DRUNNER=$<TARGET_FILE:${runner}> -DOUTPUT=${suites} -P
            ${NS3_MODULE_CMAKE_DIR}/ListSuites.cmake
    VERBATIM
  )
  set(include_file ${CMAKE_CURRENT_BINARY_DIR}/${runner}-include.cmake)
  file(CONFIGURE OUTPUT ${include_file} @ONLY CONTENT [[
if(EXISTS "@suites@")
  include("@suites@")
else()
  add_test("@runner@ (not built)" "@runner@")
endif()
]])
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${include_file})
endfunction()

# In builds that compile several files as one (CMAKE_UNITY_BUILD), those with a log component, whose
# variable has the same name in every file, are compiled alone.
function(separate_log_components)
  foreach(source IN LISTS ARGN)
    set(components "")
    if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${source}) # not so before it is generated
      file(STRINGS ${source} components REGEX "^NS_LOG_COMPONENT_DEFINE")
    endif()
    if(components)
      set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endforeach()
endfunction()

function(build_lib)
  cmake_parse_arguments(
    BLIB
    "IGNORE_PCH;GENERATE_EXPORT_HEADER"
    "LIBNAME"
    "SOURCE_FILES;HEADER_FILES;PRIVATE_HEADER_FILES;DEPRECATED_HEADER_FILES;LIBRARIES_TO_LINK;TEST_SOURCES;TEST_LIBRARIES_TO_LINK;MODULE_ENABLED_FEATURES"
    ${ARGN}
  )
  set(module ${BLIB_LIBNAME})

  # Shared, as in an ns-3 tree: a static library would lose the classes that are reached only by
  # their TypeId's name.
  add_library(lib${module} SHARED ${BLIB_SOURCE_FILES})
  set_target_properties(
    lib${module}
    PROPERTIES OUTPUT_NAME ns3-${module}
               EXPORT_NAME ${module}
               VERSION ${PROJECT_VERSION}
               SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
  )
  target_compile_features(lib${module} PUBLIC cxx_std_17)
  separate_log_components(${BLIB_SOURCE_FILES})
  target_link_libraries(lib${module} PUBLIC ${BLIB_LIBRARIES_TO_LINK})
  target_include_directories(
    lib${module} PUBLIC $<BUILD_INTERFACE:${NS3_HEADER_DIR}>
                        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
  )
  set(headers ${BLIB_HEADER_FILES} ${BLIB_DEPRECATED_HEADER_FILES})
  forward_headers(${module} PUBLIC ${headers} PRIVATE ${BLIB_PRIVATE_HEADER_FILES})
  install_module_files(${module} ${headers})

  if(BUILD_TESTING AND BLIB_TEST_SOURCES)
    build_module_tests(
      ${module} SOURCES ${BLIB_TEST_SOURCES} LIBRARIES ${BLIB_TEST_LIBRARIES_TO_LINK}
    )
  endif()
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/examples/CMakeLists.txt)
    add_subdirectory(examples)
  endif()
endfunction()

# An example is also a test: it must run without arguments, in seconds.
function(build_lib_example)
  cmake_parse_arguments(
    EXAMPLE "IGNORE_PCH" "NAME" "SOURCE_FILES;HEADER_FILES;LIBRARIES_TO_LINK" ${ARGN}
  )
  add_executable(${EXAMPLE_NAME} ${EXAMPLE_SOURCE_FILES})
  target_link_libraries(${EXAMPLE_NAME} PRIVATE lib${BLIB_LIBNAME} ${EXAMPLE_LIBRARIES_TO_LINK})
  if(BUILD_TESTING)
    # Examples write their results where they are started.
    set(work_dir ${CMAKE_CURRENT_BINARY_DIR}/${EXAMPLE_NAME}-run)
    file(MAKE_DIRECTORY ${work_dir})
    add_test(NAME example.${EXAMPLE_NAME} COMMAND ${EXAMPLE_NAME} WORKING_DIRECTORY ${work_dir})
    set_tests_properties(example.${EXAMPLE_NAME} PROPERTIES LABELS "quick;example" TIMEOUT 120)
  endif()
endfunction()
