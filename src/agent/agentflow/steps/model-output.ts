import type { ModelMessage } from '../../../contract/chat-model.ts'
import type { JsonObject } from '../../../kit/json.ts'
import type { LoopState } from '../../loop.ts'

/** What clients read of a model node, by the names of Flowise. */
export function modelNodeOutput({ usage, usedTools, documents }: LoopState): JsonObject {
  const { inputTokens, outputTokens } = usage
  return {
    usageMetadata: {
      input_tokens: inputTokens,
      output_tokens: outputTokens,
      total_tokens: inputTokens + outputTokens,
    },
    ...(usedTools.length > 0 ? { usedTools } : {}),
    ...(documents.length > 0 ? { sourceDocuments: documents } : {}),
  }
}

/** How much of a message is shown. */
const SHOWN = 2000

/** What clients see of the messages: not the instructions, which may hold variables, and pictures by their name only. */
export const visibleMessages = (messages: readonly ModelMessage[]) =>
  messages.flatMap(({ role, content }) => {
    if (role === 'system') return []
    const text =
      typeof content === 'string'
        ? content
        : content.map((part) => (part.type === 'text' ? part.text : '(picture)')).join('\n')
    return [{ role, content: text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text }]
  })
