# Run by the build: writes the C++ file that says for which Wormhole the program, or a plug-in, was built.
#
#   cmake -D VERSION=0.1.0 -D NS3_VERSION=3.37 -D MODULES=contrib -D OUTPUT=FILE.cc -P PluginStamp.cmake
#
# Classes have another shape where a header of a module has another text, whatever commit it is of.

file(GLOB_RECURSE headers RELATIVE "${MODULES}" "${MODULES}/*.h")
list(FILTER headers EXCLUDE REGEX "/(test|examples)/")
list(SORT headers)
set(hashes "")
foreach(header IN LISTS headers)
  file(SHA256 "${MODULES}/${header}" hash)
  string(APPEND hashes "${hash}")
endforeach()
string(SHA256 hash "${hashes}")
string(SUBSTRING "${hash}" 0 12 hash)
file(WRITE "${OUTPUT}" "// Made by cmake/PluginStamp.cmake: classes of another Wormhole may have another shape.
extern \"C\"
{
    extern const char wormholePluginOf[];
    const char wormholePluginOf[] = \"${VERSION} ${hash} ns-3 ${NS3_VERSION}\";
}
")
