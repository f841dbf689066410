#include "ns3/workload-training-model.h"
#include "ns3/workload-training-volume.h"
#include "ns3/workload-training.h"
#include <gtest/gtest.h>
#include <filesystem>
#include <chrono>
#include <iostream>
using namespace ns3;
TEST(A,B){
  for (auto& e: std::filesystem::directory_iterator(WORMHOLE_SOURCE_DIR "/workloads/training")){
    auto t=ReadWorkloadTraining(e.path().string());
    auto p=CountWorkloadTrainingParameters(t);
    std::cout<<t.name<<" "<<p.total/1e9<<" "<<p.active/1e9<<"\n";
    for(auto&v:WorkloadTrainingVolumes(t)) std::cout<<"  "<<v.category<<" "<<v.bytes<<" "<<v.messages<<" = "<<v.formula<<"\n";
    auto a=std::chrono::steady_clock::now();
    auto s=MakeTrainingSchedule(t);
    std::cout<<"  ops "<<s.CountOperations()<<" "<<s.CountBytes()/1e6<<" MB "<<std::chrono::duration<double>(std::chrono::steady_clock::now()-a).count()<<" s\n";
  }
}
