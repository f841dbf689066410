# Builds what scripts/check-ns3-tree.sh runs in an ns-3 source tree in a third of the time, without changing the tree:
# configure it with -D CMAKE_PROJECT_INCLUDE=<this file>. Several files are compiled as one, none has debug
# information, libraries are optimised a little, and tests not at all.

# Sets OUT to the targets of a folder and those below it.
function(targets_below folder out)
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  get_property(below DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(subfolder IN LISTS below)
    targets_below(${subfolder} more)
    list(APPEND targets ${more})
  endforeach()
  set(${out} ${targets} PARENT_SCOPE)
endfunction()

function(compile_together target)
  # The variable of a log component has the same name in every file: each gets one of its own.
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_UNIQUE_ID g_log)
  get_target_property(sources ${target} SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${folder})
    if(NOT source MATCHES "\\.cc$" OR NOT EXISTS ${source})
      continue()
    endif()
    # What such a file puts before its lines of log must not reach the next file, an explicit specialisation must come
    # before what uses it, and two queue discs, and three kinds of address (3.37), have a function of the same name.
    set(names "ReciprocalDivide|AsciiToLowCase")
    file(STRINGS ${source} own REGEX "^(#define NS_LOG_APPEND_CONTEXT|template ?<>|${names})")
    if(own)
      set_source_files_properties(
        ${source} TARGET_DIRECTORY ${target} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON
      )
    endif()
  endforeach()
endfunction()

set(modules core|network|internet|applications|stats|traffic-control) # of ns-3, those that are needed
set(together "^(${CMAKE_SOURCE_DIR}/src/(${modules})|${CMAKE_SOURCE_DIR}/(contrib|scratch)/.*|.*/wormhole-kernel)$")

function(build_quickly)
  targets_below(${CMAKE_SOURCE_DIR} targets)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    if(NOT type MATCHES "^(SHARED|STATIC|OBJECT)_LIBRARY$")
      continue()
    endif()
    get_target_property(folder ${target} SOURCE_DIR)
    if(folder MATCHES "${together}")
      compile_together(${target})
    endif()
    if(target MATCHES "-test$")
      target_compile_options(${target} PRIVATE -g0 -O0)
    else()
      target_compile_options(${target} PRIVATE -g0 -O1)
    endif()
  endforeach()
endfunction()

# Once all targets are there. Projects within the tree include this file, too.
if(CMAKE_CURRENT_SOURCE_DIR STREQUAL CMAKE_SOURCE_DIR)
  cmake_language(DEFER CALL build_quickly)
endif()
