# The library that draws the charts of `wormhole report`: uPlot, MIT, from npm. It is not part of this
# repository, but downloaded when the build is configured, once, and checked against its hash.
#
# Sets uplot_folder to where its files are; empty if they cannot be had, which is no error: then
# `wormhole report` writes data, but no page.

set(uplot_name uplot-1.6.32.tgz)
set(uplot_url https://registry.npmjs.org/uplot/-/${uplot_name})
set(uplot_sha256 4b8a8191e425658e3ea8c8c1314b0fc679c861ee3a1af2b20c7b16ba50b5133d)
set(WORMHOLE_UPLOT "" CACHE FILEPATH "${uplot_name}, where it is not to be downloaded")
set(WORMHOLE_DOWNLOADS "${CMAKE_BINARY_DIR}/downloads"
    CACHE PATH "Folder for what is downloaded; several builds may share it"
)

# Sets `result` to the path of the archive, or to nothing.
function(wormhole_get_uplot result)
  set(archive "${WORMHOLE_UPLOT}")
  if(NOT archive)
    set(archive "${WORMHOLE_DOWNLOADS}/${uplot_name}")
  endif()
  set(hash "")
  if(EXISTS "${archive}")
    file(SHA256 "${archive}" hash)
  elseif(NOT WORMHOLE_UPLOT)
    message(STATUS "Downloading ${uplot_url}")
    file(DOWNLOAD ${uplot_url} "${archive}.partial-download" STATUS status TIMEOUT 60 INACTIVITY_TIMEOUT 15)
    list(GET status 0 failed)
    if(failed)
      list(GET status 1 why)
      file(REMOVE "${archive}.partial-download")
    else()
      file(RENAME "${archive}.partial-download" "${archive}")
      file(SHA256 "${archive}" hash)
    endif()
  else()
    set(why "there is no such file")
  endif()
  if(hash STREQUAL uplot_sha256)
    set(${result} "${archive}" PARENT_SCOPE)
    return()
  endif()
  if(hash)
    set(why "its SHA-256 is ${hash} instead of ${uplot_sha256}")
    if(NOT WORMHOLE_UPLOT)
      file(REMOVE "${archive}") # so that it is tried again
    endif()
  endif()
  message(
    WARNING
      "`wormhole report` will write no pages, but only data: ${archive} cannot be had (${why}). "
      "Configure again with a network, or with -D WORMHOLE_UPLOT=FILE, where FILE is a copy of ${uplot_url}"
  )
  set(${result} "" PARENT_SCOPE)
endfunction()

set(uplot_folder "")
wormhole_get_uplot(uplot_archive)
if(uplot_archive)
  set(uplot_folder "${CMAKE_BINARY_DIR}/uplot")
  file(
    ARCHIVE_EXTRACT
    INPUT "${uplot_archive}"
    DESTINATION "${uplot_folder}"
    PATTERNS package/dist/uPlot.iife.min.js package/dist/uPlot.min.css package/LICENSE
  )
endif()
