# Run by the build: turns the classes of examples into a C++ file for `wormhole new`. Of a control's that is all before
# its program.
#
#   cmake -D CONTROL=FILE.cc -D SCHEDULER=FILE.cc -D ROUTER=FILE.cc -D OUTPUT=FILE.cc -P EmbedExamples.cmake

set(output "// Made by cmake/EmbedExamples.cmake.\n#include \"plugin/new-plugin.h\"\n")
foreach(kind CONTROL SCHEDULER ROUTER)
  file(READ "${${kind}}" text)
  string(FIND "${text}" "namespace ns3\n{" begin)
  string(FIND "${text}" "using namespace ns3;" end)
  if(end EQUAL -1)
    string(LENGTH "${text}" end)
  endif()
  math(EXPR length "${end} - ${begin}")
  string(SUBSTRING "${text}" ${begin} ${length} classes)
  string(STRIP "${classes}" classes)
  string(APPEND output
         "\nconst char* const wormhole::EXAMPLE_${kind} = R\"embedded(${classes}\n)embedded\";\n"
  )
endforeach()
file(WRITE "${OUTPUT}" "${output}")
