# Run by every build: writes the commit that the sources in ROOT are of, with "-dirty" where they differ from it, for
# `wormhole --version` and the summaries. OUTPUT stays untouched, and is not compiled again, while it says the same.
#
#   cmake -D ROOT=FOLDER -D OUTPUT=FILE.cc -P Commit.cmake

execute_process(
  COMMAND git -C "${ROOT}" describe --always --dirty --exclude=* --abbrev=12
  OUTPUT_VARIABLE commit
  OUTPUT_STRIP_TRAILING_WHITESPACE
  ERROR_QUIET
)
file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT
     "#include \"command/build-info.h\"\n\nconst char* const wormhole::COMMIT = \"${commit}\";\n"
)
