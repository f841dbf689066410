# SimAI copies models of flows where it only looks at them, and leaks two objects of each flow: half of its processor
# time and of its memory. Its files that do so are compiled from copies in the build folder that refer to models, move
# them, and free the objects. What they compute is the same, and SimAI's tree is left alone.

# Puts such a copy in the place of SOURCE in the LIST, if its SHA-256 is that for which the edits were checked.
# ARGN: pairs of a regular expression and what takes the place of its matches.
function(make_lean list source sha256)
  file(SHA256 ${source} has)
  if(NOT has STREQUAL sha256)
    message(NOTICE "simai: ${source} is not that of f5efb5a9: it is compiled as it is, and takes more time and memory")
    return()
  endif()
  file(READ ${source} text)
  while(ARGN)
    list(POP_FRONT ARGN from to)
    string(REGEX REPLACE "${from}" "${to}" edited "${text}")
    if(edited STREQUAL text)
      message(FATAL_ERROR "${source}: nothing is like '${from}'")
    endif()
    set(text "${edited}")
  endwhile()
  cmake_path(GET source FILENAME name)
  cmake_path(GET source PARENT_PATH folder)
  set(copy ${CMAKE_CURRENT_BINARY_DIR}/lean/${name})
  file(WRITE ${copy}.new "${text}")
  file(COPY_FILE ${copy}.new ${copy} ONLY_IF_DIFFERENT)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
  set_property(SOURCE ${copy} APPEND PROPERTY INCLUDE_DIRECTORIES ${folder})
  list(REMOVE_ITEM ${list} ${source})
  list(APPEND ${list} ${copy})
  set(${list} ${${list}} PARENT_SCOPE)
endfunction()

# Puts copies of the sources of SYSTEM, the folder `system` of SimAI, into the LIST.
function(make_simai_lean list system)
  set(seen "(for ?\\()(const )?auto ([a-z_]+ : \\*?[A-Za-z_]*[fF]low_?[mM]odels)")
  make_lean(
    ${list} ${system}/Sys.cc 01e294e34f5a07c0fe129a9df45fc82bd3a079e9344833286a488b4e9c4e0d1b
    "${seen}" "\\1const auto& \\3"
  )
  # flows: those that loops look at, and those that are looked up; lists of flows and of ranks
  make_lean(
    ${list} ${system}/collective/NcclTreeFlowModel.cc
    9d05fe12b7992a12aa7bd7adc1e04b68eb4f8e7f8546584d34bbd861db157954
    "${seen}" "\\1const auto& \\3"
    "(AstraSim::ncclFlowTag|MockNccl::SingleFlow|auto) ([a-z_A-Z]+ =[ \n]+(this->_flow_models|_flow_models|rcehd))"
    "const auto& \\2"
    "std::vector<int> ([a-z_]+ = (flow|recv_ready_flows|f\\.))" "const auto& \\1"
    # all channels at once: flows are in their order
    "for.int j = 0. j < m_channels. j ... [{]([ \n]+for.const auto& flow_model : _flow_models.) [{]"
    "{\\1 for(const int j : {flow_model.second.channel_id}) if(j < m_channels) {"
  )
  # flows, which its destructor keeps from being moved; of the flow before, a ring needs the number alone
  make_lean(
    ${list} ${system}/MockNcclChannel.h 6eb88a28ef226bc0b22005d777394f4bf5c783e0aac48018a516d90cb8a0be60
    "~SingleFlow....." "" "(prev|parent_flow_id|child_flow_id)[(](_[a-z_]+)[)]" "\\1(std::move(\\2))"
  )
  make_lean(
    ${list} ${system}/MockNcclGroup.cc 8a80e2e89b30b54d25150399bf15ea3bd726ad45e7af0d012777692f3b2a1f4b
    "task_list = task_list2" "task_list.swap(task_list2)"
    "(task_list2?.[^=\n]*) = tmp_result" "\\1.flow_id = tmp_result.flow_id"
    "(result.std::make_pair.[a-z_]+, ?g_flow_id..) ?= ?tmp_result" "\\1 = std::move(tmp_result)"
    "(rank2flowmodels.dst.[^=]*=)(flow_models_it->second)" "\\1std::move(\\2)"
    "make_shared<FlowModels>.(it->second)" "make_shared<FlowModels>(std::move(\\1)"
  )
  # what an event of a flow was told with
  make_lean(
    ${list} ${system}/PacketBundle.cc fe41d86c3c949edb68284344f684b8d7b9f4f099623e578e1353af401751c8e4
    "BasicEventHandlerData. ehd = new BasicEventHandlerData(.channel_id, flow_id.)"
    "BasicEventHandlerData own\\1, *ehd = &own"
    "else (stream->call.EventType::NCCL_General, ehd.)"
    "else \\1, delete static_cast<SharedBusStat*>(data)"
  )
  set(${list} ${${list}} PARENT_SCOPE)
endfunction()
