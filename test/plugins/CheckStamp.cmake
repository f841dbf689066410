# Plug-ins fit as long as no header of a module changes. STAMP is cmake/PluginStamp.cmake; WORK is a folder.

function(stamp out)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -D VERSION=1.2.3 -D NS3_VERSION=3.37 -D MODULES=${WORK}/contrib -D OUTPUT=${WORK}/stamp.cc
            -P ${STAMP} COMMAND_ERROR_IS_FATAL ANY
  )
  file(STRINGS ${WORK}/stamp.cc text REGEX "= \"1\\.2\\.3 [0-9a-f]+ ns-3 3\\.37\";")
  if(NOT text)
    message(FATAL_ERROR "no stamp of this version")
  endif()
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK})
file(WRITE ${WORK}/contrib/rdma/model/host/rdma-host.h "class RdmaHost;\n")
stamp(first)
file(WRITE ${WORK}/contrib/rdma/model/host/rdma-host.cc "// another commit\n")
file(WRITE ${WORK}/contrib/rdma/test/rdma-test.h "// another test\n")
stamp(same)
file(WRITE ${WORK}/contrib/rdma/model/host/rdma-host.h "class RdmaHost\n{\n};\n")
stamp(other)
if(NOT first STREQUAL same)
  message(FATAL_ERROR "another stamp, with the same headers: ${same}")
elseif(first STREQUAL other)
  message(FATAL_ERROR "the same stamp, with another header: ${other}")
endif()
file(REMOVE_RECURSE ${WORK})
