# Copies of SimAI's files are compiled in the place of those that are known, byte for byte, and of no others; SimAI's tree
# is left alone. LEAN is LeanSources.cmake, WORK a folder. The tree is a stand-in: what the edits mean in SimAI's own
# files needs these files.

include(${LEAN})

set(tree ${WORK}/tree)
set(system ${tree}/astra-sim-alibabacloud/astra-sim/system)
set(known ${system}/Known.cc)
set(text "for (auto flow : flows) {}\nfor (auto flow : flows) {}\n")

function(expect what is must)
  if(NOT is STREQUAL must)
    message(FATAL_ERROR "${what}: '${is}', which must be '${must}'")
  endif()
endfunction()

# Edits Known.cc as that of the SHA-256, by what else is given. Sets `sources`.
function(edit sha256)
  set(WORMHOLE_SIMAI_ROOT ${tree})
  set(WORMHOLE_SIMAI_LEAN ${WORK}/lean)
  set(files ${system}/Other.cc ${known})
  make_lean(files ${known} ${sha256} ${ARGN})
  set(sources ${files} PARENT_SCOPE)
endfunction()

if(DEFINED UNLIKE) # in a process of its own: it must fail
  file(SHA256 ${known} sha256)
  edit(${sha256} "${UNLIKE}" "")
  return()
endif()

file(REMOVE_RECURSE ${WORK})
file(WRITE ${known} "${text}")
file(SHA256 ${known} sha256)

# All that is alike is edited, by one pair after the other, in a copy at the file's place within the tree.
edit(${sha256} "(for .)auto" "\\1const auto&" "(flow) : flows" "\\1 : *\\1s")
set(copy ${WORK}/lean/astra-sim-alibabacloud/astra-sim/system/Known.cc)
expect("sources with a copy" "${sources}" "${system}/Other.cc;${copy}")
file(READ ${copy} edited)
expect("the copy" "${edited}" "for (const auto& flow : *flows) {}\nfor (const auto& flow : *flows) {}\n")
file(READ ${known} left)
expect("the tree's file" "${left}" "${text}")

# What is the same is not compiled again.
execute_process(COMMAND ${CMAKE_COMMAND} -E sleep 1.1) # of file times, which count seconds
file(TIMESTAMP ${copy} before)
edit(${sha256} "(for .)auto" "\\1const auto&" "(flow) : flows" "\\1 : *\\1s")
file(TIMESTAMP ${copy} after)
expect("the time of a copy that did not change" "${after}" "${before}")

# A file of another commit is compiled as it is.
file(REMOVE_RECURSE ${WORK}/lean)
string(REGEX REPLACE "^." "x" other ${sha256})
edit(${other} "auto" "const auto&")
expect("sources of another commit" "${sources}" "${system}/Other.cc;${known}")
if(EXISTS ${WORK}/lean)
  message(FATAL_ERROR "a file of another commit was copied")
endif()

# An edit that changes nothing is an error that names file and edit.
execute_process(
  COMMAND ${CMAKE_COMMAND} -D LEAN=${LEAN} -D WORK=${WORK} -D UNLIKE=no-such-line -P ${CMAKE_CURRENT_LIST_FILE}
  RESULT_VARIABLE result ERROR_VARIABLE error
)
string(REGEX REPLACE "[ \n]+" " " error "${error}") # CMake breaks lines
if(result EQUAL 0 OR NOT error MATCHES "Known\\.cc: nothing is like 'no-such-line'")
  message(FATAL_ERROR "an edit of a line that there is not: ${result}, ${error}")
endif()

# All of SimAI's files that have edits are looked for; those of another commit stay, and headers too.
file(READ ${LEAN} edits)
string(REGEX MATCHALL "[{]system[}]/[A-Za-z_/]+\\.(cc|hh|h)[ \n]" places "${edits}")
set(all)
foreach(place IN LISTS places)
  string(REGEX REPLACE "^.system./([^ \n]*).$" "${system}/\\1" file "${place}")
  file(WRITE ${file} "// another commit\n")
  if(file MATCHES "\\.cc$")
    list(APPEND all ${file})
  endif()
endforeach()
list(LENGTH all count)
if(count LESS 3)
  message(FATAL_ERROR "${count} sources have edits: ${places}")
endif()
set(sources ${all})
make_simai_lean(sources ${system} ${WORK}/lean)
expect("sources of another commit" "${sources}" "${all}")
if(EXISTS ${WORK}/lean)
  message(FATAL_ERROR "files of another commit were copied")
endif()
file(REMOVE_RECURSE ${WORK})
