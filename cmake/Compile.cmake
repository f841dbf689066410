# Language standard, warnings, optimisation and sanitizers, for everything built here.

if(NOT CMAKE_CXX_STANDARD)
  set(CMAKE_CXX_STANDARD 17 CACHE STRING "C++ standard: 17, 20 or 23" FORCE)
endif()
if(NOT CMAKE_CXX_STANDARD MATCHES "^(17|20|23)$")
  message(FATAL_ERROR "CMAKE_CXX_STANDARD is ${CMAKE_CXX_STANDARD}, but must be 17, 20 or 23")
endif()
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

set(CMAKE_EXPORT_COMPILE_COMMANDS ON) # for clang-tidy
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)

find_program(CCACHE ccache)
if(CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")

string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
string(REGEX MATCHALL "-O[^ ]*" levels "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${build_type}}")
list(POP_BACK levels level)
if(NOT level OR level STREQUAL "-O0")
  message(WARNING "build type ${CMAKE_BUILD_TYPE} does not optimise: simulations take ten times as long "
                  "or more. For experiments, use cmake --preset release"
  )
endif()

# Calls inside a shared library can be inlined when nobody may replace its functions at load time.
add_compile_options($<$<CONFIG:Release>:-fno-semantic-interposition>)

# A program is loaded in less time, too, if calls inside a library are bound when it is linked, and if
# what nothing in it uses is not loaded.
add_link_options(
  LINKER:--as-needed
  $<$<AND:$<CONFIG:Release>,$<STREQUAL:$<TARGET_PROPERTY:TYPE>,SHARED_LIBRARY>>:LINKER:-Bsymbolic-functions>
)

# What is installed does not tell where it was built.
add_compile_options(-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)

# The same meaning as ns-3's own profiles: assertions and logs exist in debug builds only.
add_compile_definitions(
  $<$<CONFIG:Debug>:NS3_ASSERT_ENABLE>
  $<$<CONFIG:Debug>:NS3_LOG_ENABLE>
  $<$<CONFIG:Debug>:NS3_BUILD_PROFILE_DEBUG>
  $<$<NOT:$<CONFIG:Debug>>:NS3_BUILD_PROFILE_RELEASE>
)

if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 15)
  # Clang 14 takes "if consteval" for true at run time where it inlines: then std::allocator forgets
  # the alignment of what is over-aligned. Without it, libstdc++ asks a builtin.
  add_compile_options(-U__cpp_if_consteval)
endif()

add_compile_options(-Wall -Wextra)
if(WORMHOLE_WERROR)
  # A newer ns-3 may deprecate what an older one, also supported, offers no substitute for.
  add_compile_options(-Werror -Wno-error=deprecated-declarations)
endif()

if(WORMHOLE_SANITIZE)
  add_compile_options(
    -fsanitize=${WORMHOLE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
  )
  if(WORMHOLE_SANITIZE MATCHES address)
    # What they find, the address sanitizer finds, too. They take a sixth of the time to compile.
    add_compile_options(-fno-sanitize=null,object-size)
  endif()
  add_link_options(-fsanitize=${WORMHOLE_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # A sanitizer describes every variable and check by pointers, 766,000 of them in the command line. Each start of a
    # program would move them to where it is loaded.
    add_link_options($<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
    # A hundred programs, in a quarter of the time. It leaves the kernel's vtables in programs as well as in
    # libns3-wormhole, which are no two definitions (ASAN_OPTIONS in CMakePresets.json).
    find_program(WORMHOLE_LLD ld.lld)
    if(WORMHOLE_LLD)
      add_link_options(-fuse-ld=lld)
    endif()
  endif()
  add_compile_definitions(WORMHOLE_SANITIZED) # compilers have no common name for it
  # GCC 12 warns of its own <regex> once sanitizers have changed what it inlines.
  add_compile_options($<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
endif()

# For programs of tests: what is tested is optimised, so that it runs in good time, but optimising the
# tests takes longer than running them as they are.
set(WORMHOLE_TEST_OPTIONS -O0)
if(WORMHOLE_SANITIZE MATCHES undefined)
  # These checks of pointers take as long to compile in a test, whose mistakes the address sanitizer finds.
  list(APPEND WORMHOLE_TEST_OPTIONS -fno-sanitize=alignment,vptr)
endif()
set(WORMHOLE_TEST_FILES "" CACHE STRING "A regular expression: which test files of modules and kernel to compile (all)")

# Sets OUT to those of FILES that WORMHOLE_TEST_FILES lets through, and all that hold no tests themselves.
function(wormhole_wanted_tests out)
  set(wanted "")
  foreach(file IN LISTS ARGN)
    if(NOT file MATCHES "-g?test\\.cc$" OR file MATCHES "${WORMHOLE_TEST_FILES}")
      list(APPEND wanted ${file})
    endif()
  endforeach()
  set(${out} ${wanted} PARENT_SCOPE)
endfunction()

if(WORMHOLE_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "WORMHOLE_FUZZ needs clang++ (libFuzzer): use the preset \"asan\"")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
