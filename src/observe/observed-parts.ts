import type { NodeCard } from '../contract/card.ts'
import type { ChatModel, ModelRequest } from '../contract/chat-model.ts'
import type { EmbedOptions, Embedder } from '../contract/embedder.ts'
import type { Tool, Toolset } from '../contract/tool.ts'
import type { Catalog } from '../flow/catalog.ts'
import { inSpan } from '../kit/tracing.ts'
import { codeOf } from './code-of.ts'
import { secondsSince } from './seconds.ts'
import type { Telemetry } from './telemetry.ts'

/** The same nodes; their embedders, chat models and tools are measured. */
export const observedCatalog = (catalog: Catalog, telemetry: Telemetry): Catalog =>
  new Map([...catalog].map(([name, card]) => [name, observedCard(card, telemetry)]))

function observedCard(card: NodeCard, telemetry: Telemetry): NodeCard {
  const build = card.build as (...given: Parameters<NodeCard['build']>) => unknown
  const observing = <Part>(observe: (part: Part, telemetry: Telemetry) => Part): NodeCard =>
    ({ ...card, build: (...given) => observe(build(...given) as Part, telemetry) }) as NodeCard
  if (card.kind === 'embedder') return observing(observedEmbedder)
  if (card.kind === 'chatModel') return observing(observedModel)
  if (card.kind === 'tools') return observing(observedToolset)
  return card
}

/** The provider in an id such as `openai/MODEL at ADDRESS`: one of the names in this program. */
const providerOf = (id: string): string => id.split('/', 1)[0]!

/** The same embedder, measured. */
export function observedEmbedder(embedder: Embedder, { metrics, tracer }: Telemetry): Embedder {
  const provider = providerOf(embedder.id)

  async function measured<T>(
    texts: number,
    options: EmbedOptions = {},
    embed: (options: EmbedOptions) => Promise<T>,
  ): Promise<T> {
    const startedAt = performance.now()
    const span = tracer.begin('embed', {
      attributes: {
        'gen_ai.operation.name': 'embeddings',
        'gen_ai.provider.name': provider,
        'sluice.model': embedder.id,
        'sluice.texts': texts,
      },
    })
    metrics.embeddedTexts.add(texts, provider)
    const given: EmbedOptions = {
      ...options,
      counted(tokens) {
        metrics.embeddedTokens.add(tokens, provider)
        span.set({ 'gen_ai.usage.input_tokens': tokens })
        options.counted?.(tokens)
      },
    }
    try {
      return await inSpan(span, codeOf, () => embed(given))
    } catch (error) {
      metrics.embeddingFailures.add(1, provider, codeOf(error))
      throw error
    } finally {
      metrics.embeddings.observe(secondsSince(startedAt), provider)
    }
  }

  // It inherits the other properties: some change with the answers of the provider.
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
function observedModel(model: ChatModel, { metrics, tracer }: Telemetry): ChatModel {
  const provider = providerOf(model.id)
  return {
    ...model,
    async *stream(request: ModelRequest, signal: AbortSignal) {
      const startedAt = performance.now()
      const span = tracer.begin('chat', {
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.provider.name': provider,
          'sluice.model': model.id,
        },
      })
      let failure: string | undefined
      try {
        // A generator runs in the context of its caller, so each step enters the span.
        const events = span.within(() => model.stream(request, signal)[Symbol.asyncIterator]())
        for await (const event of steps(events, span.within)) {
          if (event.type === 'end') {
            const { inputTokens, outputTokens } = event.usage
            metrics.modelTokens.add(inputTokens, provider, 'input')
            metrics.modelTokens.add(outputTokens, provider, 'output')
            span.set({
              'gen_ai.usage.input_tokens': inputTokens,
              'gen_ai.usage.output_tokens': outputTokens,
              'sluice.end': event.reason,
            })
          }
          yield event
        }
      } catch (error) {
        failure = codeOf(error)
        metrics.modelFailures.add(1, provider, failure)
        throw error
      } finally {
        metrics.modelCalls.observe(secondsSince(startedAt), provider)
        span.end(failure)
      }
    },
  }
}

/** The items of an iterator, each asked for within a span. A consumer that stops early ends the iterator. */
async function* steps<T>(
  iterator: AsyncIterator<T>,
  within: <R>(work: () => R) => R,
): AsyncGenerator<T, void, undefined> {
  let done = false
  try {
    while (!done) {
      const step = await within(() => iterator.next())
      done = step.done === true
      if (!step.done) yield step.value
    }
  } catch (error) {
    done = true
    throw error
  } finally {
    if (!done) await within(() => iterator.return?.())
  }
}

/** The same tools, measured. */
const observedToolset = (toolset: Toolset, telemetry: Telemetry): Toolset => ({
  tools: async (signal) => (await toolset.tools(signal)).map((tool) => observedTool(tool, telemetry)),
})

const observedTool = (tool: Tool, { metrics, tracer }: Telemetry): Tool => ({
  ...tool,
  async call(input, signal, context) {
    const startedAt = performance.now()
    const span = tracer.begin('tool', {
      attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': tool.name },
    })
    let outcome = 'failed'
    try {
      const made = await span.within(() => tool.call(input, signal, context))
      if (!made.failed) outcome = 'done'
      return made
    } finally {
      if (signal.aborted) outcome = 'cancelled'
      span.end(outcome === 'done' ? undefined : outcome)
      metrics.toolCalls.observe(secondsSince(startedAt), outcome)
    }
  },
})
