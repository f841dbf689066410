# wormhole_add_plugin(NAME SOURCE...) builds NAME.so with classes for `wormhole --load NAME.so`.
function(wormhole_add_plugin name)
  add_library(${name} MODULE ${ARGN} ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/wormholePlugin.cc)
  target_link_libraries(${name} PRIVATE wormhole::rdma)
  set_target_properties(${name} PROPERTIES PREFIX "" UNITY_BUILD OFF)
endfunction()
