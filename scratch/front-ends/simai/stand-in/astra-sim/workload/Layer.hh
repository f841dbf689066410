/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef STAND_IN_SIMAI_LAYER_HH
#define STAND_IN_SIMAI_LAYER_HH

#include <cstdint>
#include <string>

namespace AstraSim
{

enum class ComType
{
    None,
    All_Reduce
};

/** A line of SimAI's own workloads; here, the only type is ALLREDUCE. */
class Layer
{
  public:
    std::string id;
    ComType fwd_pass_comm_type{ComType::None};
    uint64_t fwd_pass_comm_size{0};
    ComType input_grad_comm_type{ComType::None};
    uint64_t input_grad_comm_size{0};
    ComType weight_grad_comm_type{ComType::None};
    uint64_t weight_grad_comm_size{0};
};

} // namespace AstraSim

#endif // STAND_IN_SIMAI_LAYER_HH
