# Writes to OUTPUT one add_test per test suite that RUNNER contains.
#
# A suite whose name ends in "-slow" is labelled slow and runs its cases of any duration; all others
# are labelled quick and run their QUICK cases, which is what ns-3's test.py does by default. Suites made
# of GoogleTest tests, whose names end in "-gtest", are left out, since ctest has these one by one; but those
# of the module input show that such suites work.

execute_process(
  COMMAND ${RUNNER} --list
  OUTPUT_VARIABLE names
  COMMAND_ERROR_IS_FATAL ANY
)
string(REGEX MATCHALL "[^ \t\r\n]+" names "${names}")

set(script "")
foreach(name IN LISTS names)
  if(name MATCHES "-gtest$" AND NOT name MATCHES "^input-")
    continue()
  endif()
  if(name MATCHES "-slow$")
    set(label slow)
    set(fullness TAKES_FOREVER)
    set(timeout 1200)
  else()
    set(label quick)
    set(fullness QUICK)
    set(timeout 120)
  endif()
  string(APPEND script
         "add_test(\"suite.${name}\" \"${RUNNER}\" --suite=${name} --fullness=${fullness} --verbose)\n"
         "set_tests_properties(\"suite.${name}\" PROPERTIES LABELS ${label} TIMEOUT ${timeout})\n"
  )
endforeach()
file(WRITE ${OUTPUT} "${script}")
