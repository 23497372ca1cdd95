import { z } from 'zod'
import { jsonObject } from '../../api/json.ts'
import type { PastMessage } from '../../contract/chat-history.ts'
import { SluiceError } from '../../kit/errors.ts'
import type { ChatRequest } from '../chat/conversation.ts'
import type { SentUpload } from '../chat/prediction-body.ts'
import { takeUploads } from '../chat/uploads.ts'

const textPart = z.looseObject({ type: z.literal('text'), text: z.string() })
const imagePart = z.looseObject({
  type: z.literal('image_url'),
  image_url: z.looseObject({ url: z.string() }),
})
const otherPart = z.looseObject({ type: z.string().regex(/^(?!(text|image_url)$)/) })

const message = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
  content: z.union([z.string(), z.array(z.union([textPart, imagePart, otherPart]))]).nullish(),
})

type Message = z.output<typeof message>

export const chatBody = z.looseObject({
  /** The slug or the id of a flow. */
  model: z.string().min(1),
  messages: z.array(message).min(1).max(2000),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  n: z.literal(1, 'a flow gives one answer').nullish(),
  /** Ours: inputs of nodes, gated as everywhere. */
  overrideConfig: jsonObject.nullish(),
})

export type ChatBody = z.output<typeof chatBody>

/** What a flow decides by itself. A client that sends it is told that it took no effect. */
const DECIDED_BY_FLOW = [
  'frequency_penalty',
  'functions',
  'max_completion_tokens',
  'max_tokens',
  'presence_penalty',
  'reasoning_effort',
  'response_format',
  'seed',
  'stop',
  'temperature',
  'tool_choice',
  'tools',
  'top_p',
] as const

/** Parameters without effect, in the shape of warnings on overrides. */
export function unheeded(body: ChatBody): { key: string; reason: string }[] {
  const sent = DECIDED_BY_FLOW.filter((key) => body[key] != null).map((key) => ({
    key,
    reason: 'the flow decides about it',
  }))
  const instructs = body.messages.some(isInstruction)
  return instructs ? [...sent, { key: 'messages', reason: 'the flow has instructions of its own' }] : sent
}

const isInstruction = ({ role }: Message) => role === 'system' || role === 'developer'

/**
 * The question is the last message; those before it are what was said. The conversation is the client's to keep: no
 * session is gone on with.
 *
 * @param link fetches the pictures that are given by address
 * @throws SluiceError `body_invalid`, `upload_refused`
 */
export async function readChatRequest(
  { messages, overrideConfig }: ChatBody,
  link: (sent: readonly SentUpload[]) => Promise<SentUpload[]>,
): Promise<ChatRequest> {
  const said = messages.filter((one) => !isInstruction(one))
  const last = said.at(-1)
  if (last?.role !== 'user')
    throw new SluiceError('body_invalid', {
      reason: 'the last of the messages must be of a user',
      param: 'messages',
    })
  const { asked, pictures } = takeUploads(await link(uploadsOf(last)))
  return {
    question: textOf(last),
    chatId: undefined,
    history: said.slice(0, -1).flatMap(pastMessage),
    uploads: asked,
    files: pictures,
    overrides: overrideConfig ?? {},
    chatType: 'EXTERNAL',
  }
}

function pastMessage(one: Message): PastMessage[] {
  if (one.role !== 'user' && one.role !== 'assistant') return []
  const content = textOf(one)
  return content === '' ? [] : [{ role: one.role === 'user' ? 'userMessage' : 'apiMessage', content }]
}

const partsOf = ({ content }: Message) => (Array.isArray(content) ? content : [])

function textOf(one: Message): string {
  if (typeof one.content === 'string') return one.content
  return partsOf(one)
    .map((part) => (part.type === 'text' ? (part.text as string) : ''))
    .join('')
}

function uploadsOf(one: Message): SentUpload[] {
  return partsOf(one)
    .filter(({ type }) => type !== 'text')
    .map((part, index) => {
      const name = `${part.type} ${index + 1}`
      if (part.type !== 'image_url') return { type: part.type, name }
      const { url } = part.image_url as { url: string }
      return { type: url.startsWith('data:') ? 'file' : 'url', name, data: url }
    })
}
