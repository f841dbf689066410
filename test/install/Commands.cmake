# What the checks of this folder do again and again.

# Runs a command in WORK, which must succeed; OUT is set to what it writes.
function(run out)
  execute_process(
    COMMAND ${ARGN}
    WORKING_DIRECTORY ${WORK}
    OUTPUT_VARIABLE text
    COMMAND_ERROR_IS_FATAL ANY
  )
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

# The text must match the pattern.
function(expect text pattern)
  if(NOT text MATCHES "${pattern}")
    message(FATAL_ERROR "expected \"${pattern}\" in:\n${text}")
  endif()
endfunction()
