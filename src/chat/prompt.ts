import type { ModelMessage, ToolCall, UserContent } from '../contract/chat-model.ts'
import { isObject, parseJson } from '../kit/json.ts'
import { type ProviderMemo, readMemo } from './memo.ts'
import type { Prompt, PromptMessage } from './sdk.ts'

export type Picture = Extract<UserContent, { type: 'image' }>
type UserParts = Extract<PromptMessage, { role: 'user' }>['content']
type AssistantParts = Extract<PromptMessage, { role: 'assistant' }>['content']
export type PicturePart = Extract<UserParts[number], { type: 'file' }>

export type PromptOptions = {
  /** Converts a picture for the provider. Without it, pictures are left out. */
  picture?: ((picture: Picture) => Promise<PicturePart>) | undefined
  /** Whether the provider requires all system messages before the others. */
  systemFirst?: boolean
}

/** Converts messages to a prompt of the AI SDK. */
export async function toPrompt(messages: readonly ModelMessage[], options: PromptOptions): Promise<Prompt> {
  const prompt: Prompt = []
  for (const message of options.systemFirst ? systemFirst(messages) : messages) {
    const last = prompt.at(-1)
    if (message.role === 'system') prompt.push({ role: 'system', content: message.content })
    else if (message.role === 'user')
      prompt.push({ role: 'user', content: await userParts(message.content, options) })
    else if (message.role === 'assistant') {
      const content = assistantParts(message.content, message.toolCalls)
      // Providers refuse an empty message.
      if (content.length > 0) prompt.push({ role: 'assistant', content })
    } else {
      const result = resultPart(message)
      // The results of calls made in one turn go into one message.
      if (last?.role === 'tool') last.content.push(result)
      else prompt.push({ role: 'tool', content: [result] })
    }
  }
  return prompt
}

const systemFirst = (messages: readonly ModelMessage[]) => [
  ...messages.filter(({ role }) => role === 'system'),
  ...messages.filter(({ role }) => role !== 'system'),
]

async function userParts(content: string | UserContent[], { picture }: PromptOptions): Promise<UserParts> {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  const parts = content.map(async (part) => {
    if (part.type === 'text') return [{ type: 'text' as const, text: part.text }]
    return picture ? [await picture(part)] : []
  })
  return (await Promise.all(parts)).flat()
}

function assistantParts(text: string, calls: readonly ToolCall[] = []): AssistantParts {
  const memos = calls.map(({ memo }): ProviderMemo => readMemo(memo))
  return [
    ...memos.flatMap(({ thoughts }) =>
      thoughts.map((thought) => ({ type: 'reasoning' as const, ...thought })),
    ),
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...calls.map(({ id, name, input }, index) => ({
      type: 'tool-call' as const,
      toolCallId: id,
      toolName: name,
      input: inputOf(input),
      ...memos[index]!.options,
    })),
  ]
}

/** Providers accept only objects as input. For other text the result of the tool names the problem. */
function inputOf(text: string): object {
  const value = parseJson(text)
  return isObject(value) ? value : {}
}

const resultPart = (message: Extract<ModelMessage, { role: 'tool' }>) => ({
  type: 'tool-result' as const,
  toolCallId: message.callId,
  toolName: message.name,
  output: { type: message.failed ? ('error-text' as const) : ('text' as const), value: message.content },
})
