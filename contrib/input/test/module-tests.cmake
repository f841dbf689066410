# The tests of a module, for its CMakeLists.txt: in an ns-3 source tree, where test.py runs them, and in
# this project's own build, where ctest does.
#
#   test/*.cc, test/*/*-test.cc        ns-3 test suites, and what they share
#   test/*-gtest.cc, test/*/*-gtest.cc  GoogleTest tests; where "-slow" is in the name, slow ones,
#                                       whose names contain Slow
#   test/harness/*.cc                   what several GoogleTest tests share
#
# For test.py, the tests of a file NAME-gtest.cc are an ns-3 suite of that name (googletest-suites.cc).
# Without GoogleTest they are left out.

set(module_tests_folder ${CMAKE_CURRENT_LIST_DIR})

# What files of tests need to be compiled: for each of them, since ns-3 makes the target. In this project's own build
# the target has it (build_module_tests), so that several files can be compiled as one.
function(set_module_test_properties)
  if(NOT NS3_MODULE_CMAKE_DIR)
    # Tests find files of the project beside the module, which an ns-3 tree has a link to.
    file(REAL_PATH ${CMAKE_CURRENT_SOURCE_DIR} folder)
    cmake_path(SET root NORMALIZE ${folder}/../..)
    string(REGEX REPLACE "/$" "" root ${root})
    set_source_files_properties(
      ${ARGN} PROPERTIES INCLUDE_DIRECTORIES "${CMAKE_CURRENT_SOURCE_DIR}/test;${module_tests_folder}"
                         COMPILE_DEFINITIONS "WORMHOLE_SOURCE_DIR=\"${root}\""
    )
  endif()
endfunction()

# Sets OUT to the TEST_SOURCES of the module in the current folder. HARNESS names files of the harness of
# the module input that its own needs.
function(find_module_tests out)
  cmake_parse_arguments(ARG "" "" "HARNESS" ${ARGN})
  file(GLOB tests RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS test/*.cc test/*/*-test.cc)
  file(GLOB gtests RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS test/*-gtest.cc test/*/*-gtest.cc)
  file(GLOB harness RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS test/harness/*.cc)
  list(REMOVE_ITEM tests ${gtests})
  set_module_test_properties(${tests})

  find_package(GTest QUIET)
  if(NOT TARGET GTest::gtest)
    message(STATUS "${CMAKE_CURRENT_SOURCE_DIR}: no GoogleTest, so only some of the tests (Debian: libgtest-dev)")
    set(${out} ${tests} PARENT_SCOPE)
    return()
  endif()

  set(names "")
  foreach(gtest IN LISTS gtests)
    cmake_path(GET gtest STEM name)
    string(APPEND names "${name},")
  endforeach()
  foreach(name IN LISTS ARG_HARNESS)
    list(APPEND harness ../input/test/harness/${name}.cc)
  endforeach()
  set(suites ../input/test/googletest/googletest-suites.cc)
  set_module_test_properties(${gtests} ${harness} ${suites})
  set_property(SOURCE ${suites} APPEND PROPERTY COMPILE_DEFINITIONS "MODULE_GTESTS=\"${names}\"")
  set(${out} ${tests} ${gtests} ${harness} ${suites} PARENT_SCOPE)
endfunction()

# After build_lib: links GoogleTest to the library of tests that an ns-3 tree makes of a module.
function(link_module_tests module)
  foreach(library lib${module}-test ${module}-test)
    if(TARGET ${library} AND TARGET GTest::gtest)
      set_property(TARGET ${library} APPEND PROPERTY LINK_LIBRARIES GTest::gtest)
      if(NOT APPLE)
        # Its test-runner loads those of all modules, each with a GoogleTest of its own. Without optimisation its
        # inline functions, such as RUN_ALL_TESTS, are functions of all libraries, of which one would be taken.
        set_property(
          TARGET ${library} APPEND
          PROPERTY LINK_OPTIONS -Wl,--exclude-libs,libgtest.a -Wl,-Bsymbolic-functions
        )
      endif()
    endif()
  endforeach()
endfunction()
