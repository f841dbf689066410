# SimAI copies models of flows where it only looks at them, searches maps for what it does not use, and leaks five
# objects for each flow or collective: two thirds of its processor time, and five sixths of its memory. Its files that
# do so are compiled from copies in the build folder that refer to models, move them, keep small maps in one piece, and
# free the objects. What they compute is the same, and SimAI's tree is left alone.

# Puts such a copy in the place of SOURCE in the LIST, if its SHA-256 is that for which the edits were checked.
# ARGN: pairs of a regular expression and what takes the place of its matches, both without semicolons.
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
  set(copy ${source}) # at its place within the tree: includes find it in front of the tree's
  cmake_path(RELATIVE_PATH copy BASE_DIRECTORY ${WORMHOLE_SIMAI_ROOT})
  cmake_path(ABSOLUTE_PATH copy BASE_DIRECTORY ${WORMHOLE_SIMAI_LEAN})
  file(WRITE ${copy}.new "${text}")
  file(COPY_FILE ${copy}.new ${copy} ONLY_IF_DIFFERENT)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
  list(REMOVE_ITEM ${list} ${source})
  list(APPEND ${list} ${copy})
  set(${list} ${${list}} PARENT_SCOPE)
endfunction()

# Puts copies of the sources of SYSTEM, the folder `system` of SimAI, into the LIST, and of headers into LEAN, a folder
# that must come first among those of includes.
function(make_simai_lean list system lean)
  cmake_path(SET WORMHOLE_SIMAI_ROOT NORMALIZE ${system}/../..)
  set(WORMHOLE_SIMAI_LEAN ${lean})
  set(seen "(for ?\\()(const )?auto ([a-z_]+ : \\*?[A-Za-z_]*[fF]low_?[mM]odels)")
  make_lean(
    ${list} ${system}/Sys.cc 01e294e34f5a07c0fe129a9df45fc82bd3a079e9344833286a488b4e9c4e0d1b
    "${seen}" "\\1const auto& \\3"
    # lines of the log, which has none of their level unless the user asks for it
    "(for .const auto& flow : .RingFlowModels.)" "if (std::getenv(\"AS_LOG_LEVEL\")) \\1"
    # all rings of all members, of which it needs the number of members alone
    "std::map<int,std::map<int,std::vector<int>>> channels" "std::map<int, bool> channels"
    "channels = (mock_nccl_comms.comm_ps.->)get_rings.."
    "for (const auto& ring : \\1ringchannels) for (const auto& member : ring.second) channels[member.first]"
  )
  # a lock for each look at what is made once, by the thread that everything runs on
  make_lean(
    ${list} ${system}/MockNcclLog.h 68e73c2e1ac7478603df4f050dba5228d60c007fdb97da8788b66d620e9acdac
    "(std::lock_guard<std::mutex> lock.mtx..)([ \n]+if .instance == nullptr. [{])" "\\2 \\1"
  )
  # maps of a few numbers, each of its entries in memory of its own, and three objects that are never freed
  set(flat "boost::container::flat_map<")
  set(with_flat "#include <boost/container/flat_map.hpp>\n\\1")
  make_lean(
    ${list} ${system}/collective/NcclTreeFlowModel.hh 614ef3f69de95a2d0f373b5bf9126e3fbfc7b221a46e50a2007ad6bd598df9b9
    "(#include<condition_variable>)" "${with_flat}"
    "(#include<condition_variable>)" "\\1\n#include \"simai-lean.h\""
    "std::map<int, int>(.? (_stream_count|(non_)?zero_latency_packets))" "wormhole::SimAiNumbersByChannel\\1"
    "std::map<(int, int|std::pair<int, int>, std::list<MyPacket>|std::pair<int,int>, int)>" "${flat}\\1>"
    "(~NcclTreeFlowModel...)"
    "\\1 if ((delete pQps, delete zero_latency_packets, delete non_zero_latency_packets, true)) {} "
  )
  make_lean(
    ${list} ${system}/MockNcclQps.h f030a1961ed572e4a2f90ff88894739e97f775f9b1e1a63d6e4bfe7b316e5018
    "(#include<map>)" "${with_flat}\n#include <list>"
    "std::map<" "${flat}" "std::queue<int>" "std::queue<int, std::list<int>>"
  )
  make_lean(
    ${list} ${system}/MockNcclGroup.h 7f13ec847ce45a0b76aa14216c55c78b19dcf5c044cd414292dae4d04abb9680
    "(#include <map>)" "${with_flat}" "std::map<(std::pair<int,int>,SingleFlow>)" "${flat}\\1"
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
    # flows that come in the order of their map; lines of the log that nobody reads
    "(for.const auto& f : .ptr_flow_models.)" "if (_flow_models.reserve(ptr_flow_models->size()), true) \\1"
    "this->_flow_models.f.first. = f.second" "_flow_models.emplace_hint(_flow_models.end(), f)"
    "(NcclLog->)(writeLog.)(NcclLogLevel::DEBUG)" "if (wormhole::SimAiLogsDetails()) \\1\\2\\3"
    # which kind of map, filled in its order; lists that are copied; searches: one that nobody needs, and two that go on
    # after they know
    "(indegree_mapping.tree_it->first.second. = )" "packets[tree_it->first], \\1"
    "new std::map<int, int>" "new std::decay_t<decltype(*zero_latency_packets)>"
    "std::vector<int>recv_prevs.[ \n]+recv_prevs = " "const auto& recv_prevs = "
    "for.std::pair<std::pair<int, int>, std::list<MyPacket>> packet" "for(auto& packet"
    "(bool recv_finished_tag = true.[ \n]+for .auto it = free_packets.)begin" "\\1end"
    "(all_channel_finished|all_packets_freed) = false" "return true"
  )
  # what a message is about, and flows, which their destructors keep from being moved; of the flow before, a ring needs
  # the number alone
  make_lean(
    ${list} ${system}/AstraNetworkAPI.hh 3c7312e2a47bcca5783dbfd7d52100e3b9f75d3032c32ecd60b8abd7118f3edb
    "~ncclFlowTag.. ..." ""
  )
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
