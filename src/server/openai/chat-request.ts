import type { ChatBody, ChatMessage } from '../../api/openai.ts'
import type { SentUpload } from '../../api/prediction.ts'
import type { PastMessage } from '../../contract/chat-history.ts'
import { SluiceError } from '../../kit/errors.ts'
import type { ChatRequest } from '../chat/turn.ts'
import { readUploads } from '../chat/uploads.ts'

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
export function ineffectiveParameters(body: ChatBody): { key: string; reason: string }[] {
  const sent = DECIDED_BY_FLOW.filter((key) => body[key] != null).map((key) => ({
    key,
    reason: 'the flow decides about it',
  }))
  const instructs = body.messages.some(isInstruction)
  return instructs ? [...sent, { key: 'messages', reason: 'the flow has instructions of its own' }] : sent
}

const isInstruction = ({ role }: ChatMessage) => role === 'system' || role === 'developer'

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
  const { asked, pictures } = readUploads(await link(uploadsOf(last)))
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

function pastMessage(one: ChatMessage): PastMessage[] {
  if (one.role !== 'user' && one.role !== 'assistant') return []
  const content = textOf(one)
  return content === '' ? [] : [{ role: one.role === 'user' ? 'userMessage' : 'apiMessage', content }]
}

const partsOf = ({ content }: ChatMessage) => (Array.isArray(content) ? content : [])

function textOf(one: ChatMessage): string {
  if (typeof one.content === 'string') return one.content
  return partsOf(one)
    .map((part) => (part.type === 'text' ? (part.text as string) : ''))
    .join('')
}

function uploadsOf(one: ChatMessage): SentUpload[] {
  return partsOf(one)
    .filter(({ type }) => type !== 'text')
    .map((part, index) => {
      const name = `${part.type} ${index + 1}`
      if (part.type !== 'image_url') return { type: part.type, name }
      const { url } = part.image_url as { url: string }
      return { type: url.startsWith('data:') ? 'file' : 'url', name, data: url }
    })
}
