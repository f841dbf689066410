/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-training-model.h"

#include "workload-training-experts.h"

#include "ns3/rdma-arithmetic.h"

#include <algorithm>

namespace ns3
{

namespace
{

using Block = WorkloadTrainingBlock;
using BlockKind = WorkloadTrainingBlockKind;

/** Adds up a block's matrices: what tensor parallelism divides, and what every GPU has. */
class BlockBuilder
{
  public:
    BlockBuilder(const WorkloadTraining& training, BlockKind kind)
        : m_training(training),
          m_tokens(static_cast<double>(training.microBatch) * training.model.sequence /
                   training.parallelism.context)
    {
        m_block.kind = kind;
    }

    /** A matrix that is divided among the GPUs of a tensor-parallel group. \param bias as many
     * parameters more, that are divided too */
    void Divided(uint64_t rows, uint64_t columns, uint64_t bias = 0)
    {
        const uint32_t tensor = m_training.parallelism.tensor;
        const uint64_t count = RdmaSum(RdmaProduct(rows, columns), bias);
        Count(RdmaShare(count, tensor), count);
        m_block.flops += 2 * m_tokens * static_cast<double>(rows) * static_cast<double>(columns) /
                         static_cast<double>(tensor);
    }

    /** A matrix that each GPU of a tensor-parallel group has. With sequence parallelism each works
     * on its share of the tokens. */
    void Copied(uint64_t rows, uint64_t columns)
    {
        const uint64_t count = RdmaProduct(rows, columns);
        Count(count, count);
        const double share = m_training.parallelism.sequence ? m_training.parallelism.tensor : 1;
        m_block.flops +=
            2 * m_tokens * static_cast<double>(rows) * static_cast<double>(columns) / share;
    }

    /** Vectors that each GPU has; their arithmetic is not counted. */
    void Vector(uint64_t size)
    {
        Count(size, size);
    }

    /** The norm before a block. */
    void Norm()
    {
        Vector(RdmaProduct(m_training.model.hidden, m_training.model.layerNorm ? 2 : 1));
    }

    void CoreFlops(double flops)
    {
        m_block.coreFlops += flops;
        m_block.flops += flops;
    }

    double GetTokens() const
    {
        return m_tokens;
    }

    Block& GetBlock()
    {
        return m_block;
    }

  private:
    void Count(uint64_t onGpu, uint64_t inModel)
    {
        m_block.parameters = RdmaSum(m_block.parameters, onGpu);
        m_block.modelParameters = RdmaSum(m_block.modelParameters, inModel);
        m_block.activeParameters = m_block.modelParameters;
    }

    const WorkloadTraining& m_training;
    double m_tokens;
    Block m_block;
};

/** Scores and weighted values: each token with all tokens of its sample, no causal saving. */
double
ScoreFlops(const WorkloadTraining& training, double tokens, double keySize, double valueSize)
{
    return 2 * tokens * training.model.sequence * training.model.heads * (keySize + valueSize) /
           training.parallelism.tensor;
}

void
AddLatentAttention(const WorkloadTraining& training, BlockBuilder& builder)
{
    const WorkloadTrainingModel& model = training.model;
    const WorkloadTrainingMla& mla = model.mla;
    const uint64_t keySize = uint64_t{mla.headSize} + mla.ropeHeadSize;
    const uint64_t heads = model.heads;
    if (mla.queryRank > 0)
    {
        builder.Copied(model.hidden, mla.queryRank);
        builder.Vector(mla.queryRank);
    }
    builder.Divided(mla.queryRank > 0 ? mla.queryRank : model.hidden, heads * keySize);
    builder.Copied(model.hidden, uint64_t{mla.keyValueRank} + mla.ropeHeadSize);
    builder.Vector(mla.keyValueRank);
    builder.Divided(mla.keyValueRank, heads * (uint64_t{mla.headSize} + mla.valueHeadSize));
    builder.Divided(heads * mla.valueHeadSize, model.hidden);
    builder.CoreFlops(
        ScoreFlops(training, builder.GetTokens(), static_cast<double>(keySize), mla.valueHeadSize));
}

void
AddAttention(const WorkloadTraining& training, BlockBuilder& builder)
{
    const WorkloadTrainingModel& model = training.model;
    const uint32_t tensor = training.parallelism.tensor;
    const uint64_t queries = uint64_t{model.heads} * model.headSize;
    const uint64_t keys = uint64_t{model.kvHeads} * model.headSize;
    if (model.attentionParameters > 0)
    {
        builder.Divided(1, model.attentionParameters);
    }
    else
    {
        const bool bias = model.bias != WorkloadTrainingBias::NONE;
        builder.Divided(model.hidden, queries, bias ? queries : 0);
        builder.Divided(model.hidden, 2 * keys, bias ? 2 * keys : 0);
        if (model.kvHeads < tensor)
        {
            // a GPU holds one whole key-value head, which others hold too
            Block& block = builder.GetBlock();
            const uint64_t whole =
                RdmaProduct(2 * uint64_t{model.headSize}, model.hidden + (bias ? 1U : 0U));
            const uint64_t divided =
                RdmaShare(RdmaProduct(2 * keys, model.hidden + (bias ? 1U : 0U)), tensor);
            block.parameters = RdmaSum(block.parameters, whole - std::min(whole, divided));
        }
        builder.Divided(queries, model.hidden);
    }
    if (model.bias == WorkloadTrainingBias::ALL && model.attentionParameters == 0)
    {
        builder.Vector(model.hidden);
    }
    builder.CoreFlops(ScoreFlops(training, builder.GetTokens(), model.headSize, model.headSize));
}

Block
MakeAttention(const WorkloadTraining& training)
{
    BlockBuilder builder(training, BlockKind::ATTENTION);
    builder.Norm();
    training.model.mla.keyValueRank > 0 ? AddLatentAttention(training, builder)
                                        : AddAttention(training, builder);
    return builder.GetBlock();
}

/** \return inner biases and matrices into the inner layer, for an inner size */
uint64_t
InnerMatrices(const WorkloadTrainingModel& model)
{
    return model.gatedMlp ? 2 : 1;
}

/** A dense MLP, or the shared experts of a layer: an MLP of \p ffn. */
void
AddMlp(const WorkloadTrainingModel& model, uint64_t ffn, BlockBuilder& builder)
{
    const bool bias = model.bias == WorkloadTrainingBias::ALL;
    const uint64_t inner = InnerMatrices(model) * ffn;
    builder.Divided(model.hidden, inner, bias ? inner : 0);
    builder.Divided(ffn, model.hidden);
    if (bias)
    {
        builder.Vector(model.hidden);
    }
}

Block
MakeMlp(const WorkloadTraining& training)
{
    BlockBuilder builder(training, BlockKind::MLP);
    builder.Norm();
    AddMlp(training.model, training.model.ffn, builder);
    return builder.GetBlock();
}

Block
MakeMoe(const WorkloadTraining& training)
{
    const WorkloadTrainingModel& model = training.model;
    const WorkloadTrainingMoe& moe = model.moe;
    BlockBuilder builder(training, BlockKind::MOE);
    builder.Norm();
    builder.Copied(model.hidden, moe.experts);
    if (moe.sharedExperts > 0)
    {
        AddMlp(model, uint64_t{moe.ffn} * moe.sharedExperts, builder);
    }
    const uint64_t matrices =
        RdmaProduct(InnerMatrices(model) + 1, model.hidden, uint64_t{moe.ffn});
    const bool bias = model.bias == WorkloadTrainingBias::ALL;
    const uint64_t divided = RdmaSum(matrices, bias ? InnerMatrices(model) * moe.ffn : 0);
    const uint64_t copied = bias ? model.hidden : 0; // of the output, on each GPU of an expert
    const uint64_t expert = RdmaSum(divided, copied);
    Block& block = builder.GetBlock();
    block.expertParameters = RdmaProduct(
        RdmaSum(RdmaShare(divided, ResolveWorkloadTrainingExperts(training).tensor), copied),
        moe.experts / training.parallelism.expert);
    block.activeParameters = RdmaSum(block.modelParameters, RdmaProduct(expert, moe.topK));
    block.modelParameters = RdmaSum(block.modelParameters, RdmaProduct(expert, moe.experts));
    // balanced routing: as many tokens arrive as leave, or those of all GPUs of an expert, each
    // of which has its share of it
    block.expertFlops = 2 * builder.GetTokens() / training.parallelism.tensor * moe.topK *
                        static_cast<double>(matrices);
    return block;
}

Block
MakeEmbedding(const WorkloadTraining& training)
{
    BlockBuilder builder(training, BlockKind::EMBEDDING);
    builder.Divided(training.model.vocabulary, training.model.hidden);
    builder.Vector(RdmaProduct(training.model.learnedPositions, training.model.hidden));
    builder.GetBlock().flops = 0; // a look-up
    return builder.GetBlock();
}

Block
MakeHead(const WorkloadTraining& training)
{
    BlockBuilder norm(training, BlockKind::HEAD);
    norm.Norm();
    BlockBuilder all = norm;
    all.Divided(training.model.hidden, training.model.vocabulary);
    if (!training.model.tiedEmbeddings)
    {
        return all.GetBlock();
    }
    Block block = norm.GetBlock();
    block.flops = all.GetBlock().flops;
    if (training.parallelism.pipeline > 1)
    {
        block.parameters = all.GetBlock().parameters; // a copy of the first stage's embedding
    }
    return block;
}

/** \return whether a layer, from 0, has experts */
bool
HasExperts(const WorkloadTrainingMoe& moe, uint32_t layer)
{
    return moe.experts > 0 && layer >= moe.firstDense && (layer - moe.firstDense) % moe.every == 0;
}

} // namespace

uint32_t
CountWorkloadTrainingLayers(const WorkloadTraining& training, uint32_t chunk)
{
    if (!training.parallelism.layersPerChunk.empty())
    {
        return training.parallelism.layersPerChunk[chunk];
    }
    const uint32_t chunks = training.GetChunkCount();
    return training.model.layers / chunks + (chunk < training.model.layers % chunks ? 1 : 0);
}

std::vector<WorkloadTrainingBlock>
MakeWorkloadTrainingBlocks(const WorkloadTraining& training, uint32_t chunk)
{
    uint32_t layer = 0;
    for (uint32_t before = 0; before < chunk; ++before)
    {
        layer += CountWorkloadTrainingLayers(training, before);
    }
    const uint32_t end = layer + CountWorkloadTrainingLayers(training, chunk);
    std::vector<Block> blocks;
    if (chunk == 0)
    {
        blocks.push_back(MakeEmbedding(training));
    }
    for (; layer < end; ++layer)
    {
        blocks.push_back(MakeAttention(training));
        blocks.push_back(HasExperts(training.model.moe, layer) ? MakeMoe(training)
                                                               : MakeMlp(training));
    }
    if (chunk + 1 == training.GetChunkCount())
    {
        blocks.push_back(MakeHead(training));
    }
    return blocks;
}

WorkloadTrainingParameters
CountWorkloadTrainingParameters(const WorkloadTraining& training)
{
    WorkloadTrainingParameters parameters;
    std::vector<uint64_t> perChunk(training.GetChunkCount(), 0);
    for (uint32_t chunk = 0; chunk < training.GetChunkCount(); ++chunk)
    {
        for (const Block& block : MakeWorkloadTrainingBlocks(training, chunk))
        {
            parameters.total = RdmaSum(parameters.total, block.modelParameters);
            parameters.active = RdmaSum(parameters.active, block.activeParameters);
            perChunk[chunk] =
                RdmaSum(perChunk[chunk], RdmaSum(block.parameters, block.expertParameters));
        }
    }
    parameters.perStage.assign(training.parallelism.pipeline, 0);
    for (uint32_t stage = 0; stage < training.parallelism.pipeline; ++stage)
    {
        for (uint32_t own = 0; own < training.GetStageChunkCount(); ++own)
        {
            parameters.perStage[stage] =
                RdmaSum(parameters.perStage[stage], perChunk[training.GetChunk(stage, own)]);
        }
    }
    return parameters;
}

} // namespace ns3
