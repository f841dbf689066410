# Run by the build: turns the classes of the example control, without its program, into a C++ file for
# `wormhole new control`.
#
#   cmake -D SOURCE=scratch/custom-congestion-control.cc -D OUTPUT=FILE.cc -P EmbedControl.cmake

file(READ "${SOURCE}" text)
string(FIND "${text}" "namespace ns3\n{" begin)
string(FIND "${text}" "using namespace ns3;" end)
math(EXPR length "${end} - ${begin}")
string(SUBSTRING "${text}" ${begin} ${length} classes)
string(STRIP "${classes}" classes)
file(WRITE "${OUTPUT}" "// Made by cmake/EmbedControl.cmake.\n#include \"plugin/new-control.h\"\n\n"
     "const char* const wormhole::EXAMPLE_CONTROL = R\"embedded(${classes}\n)embedded\";\n"
)
