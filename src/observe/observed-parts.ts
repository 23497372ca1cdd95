import type { NodeCard } from '../contract/card.ts'
import type { ChatModel, ModelRequest } from '../contract/chat-model.ts'
import type { EmbedOptions, Embedder } from '../contract/embedder.ts'
import type { Tool, Toolset } from '../contract/tool.ts'
import type { Catalog } from '../flow/catalog.ts'
import { codeOf } from './code-of.ts'
import type { PlatformMetrics } from './platform-metrics.ts'
import { secondsSince } from './seconds.ts'

/** The same nodes; their embedders, chat models and tools are measured. */
export const observedCatalog = (catalog: Catalog, metrics: PlatformMetrics): Catalog =>
  new Map([...catalog].map(([name, card]) => [name, observedCard(card, metrics)]))

function observedCard(card: NodeCard, metrics: PlatformMetrics): NodeCard {
  const build = card.build as (...given: Parameters<NodeCard['build']>) => unknown
  const observing = <Part>(observe: (part: Part, metrics: PlatformMetrics) => Part): NodeCard =>
    ({ ...card, build: (...given) => observe(build(...given) as Part, metrics) }) as NodeCard
  if (card.kind === 'embedder') return observing(observedEmbedder)
  if (card.kind === 'chatModel') return observing(observedModel)
  if (card.kind === 'tools') return observing(observedToolset)
  return card
}

/** The provider in an id such as `openai/MODEL at ADDRESS`: one of the names in this program. */
const providerOf = (id: string): string => id.split('/', 1)[0]!

/** The same embedder, measured. */
export function observedEmbedder(embedder: Embedder, metrics: PlatformMetrics): Embedder {
  const provider = providerOf(embedder.id)

  async function measured<T>(
    texts: number,
    options: EmbedOptions = {},
    embed: (options: EmbedOptions) => Promise<T>,
  ): Promise<T> {
    const startedAt = performance.now()
    metrics.embeddedTexts.add(texts, provider)
    try {
      return await embed({
        ...options,
        counted(tokens) {
          metrics.embeddedTokens.add(tokens, provider)
          options.counted?.(tokens)
        },
      })
    } catch (error) {
      metrics.embeddingFailures.add(1, provider, codeOf(error))
      throw error
    } finally {
      metrics.embeddings.observe(secondsSince(startedAt), provider)
    }
  }

  // Getters, because some properties change with the answers of the provider.
  return Object.create(embedder, {
    embed: {
      value: (texts: readonly string[], options?: EmbedOptions) =>
        measured(texts.length, options, (given) => embedder.embed(texts, given)),
    },
    embedQuery: {
      value: (text: string, options?: EmbedOptions) =>
        measured(1, options, (given) => embedder.embedQuery(text, given)),
    },
  }) as Embedder
}

/** The same model, measured. */
function observedModel(model: ChatModel, metrics: PlatformMetrics): ChatModel {
  const provider = providerOf(model.id)
  return {
    ...model,
    async *stream(request: ModelRequest, signal: AbortSignal) {
      const startedAt = performance.now()
      try {
        for await (const event of model.stream(request, signal)) {
          if (event.type === 'end') {
            metrics.modelTokens.add(event.usage.inputTokens, provider, 'input')
            metrics.modelTokens.add(event.usage.outputTokens, provider, 'output')
          }
          yield event
        }
      } catch (error) {
        metrics.modelFailures.add(1, provider, codeOf(error))
        throw error
      } finally {
        metrics.modelCalls.observe(secondsSince(startedAt), provider)
      }
    },
  }
}

/** The same tools, measured. */
const observedToolset = (toolset: Toolset, metrics: PlatformMetrics): Toolset => ({
  tools: async (signal) => (await toolset.tools(signal)).map((tool) => observedTool(tool, metrics)),
})

const observedTool = (tool: Tool, metrics: PlatformMetrics): Tool => ({
  ...tool,
  async call(input, signal, context) {
    const startedAt = performance.now()
    let outcome = 'failed'
    try {
      const made = await tool.call(input, signal, context)
      if (!made.failed) outcome = 'done'
      return made
    } finally {
      metrics.toolCalls.observe(secondsSince(startedAt), signal.aborted ? 'cancelled' : outcome)
    }
  },
})
