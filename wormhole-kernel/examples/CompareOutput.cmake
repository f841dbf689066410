# Runs PROGRAM and fails unless it succeeds and prints what the file EXPECTED holds.

cmake_minimum_required(VERSION 3.25) # for its policies
execute_process(COMMAND ${PROGRAM} OUTPUT_VARIABLE output RESULT_VARIABLE result)
file(READ ${EXPECTED} expected)
if(NOT result EQUAL 0 OR NOT output STREQUAL expected)
  message(FATAL_ERROR "${PROGRAM} ended with ${result} and printed\n${output}, not\n${expected}")
endif()
