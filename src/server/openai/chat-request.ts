import type { ChatBody, ChatMessage } from '../../api/openai.ts'
import type { SentUpload } from '../../api/prediction.ts'
import type { PastMessage } from '../../contract/chat-history.ts'
import { SluiceError } from '../../kit/errors.ts'
import type { ChatRequest } from '../chat/turn.ts'
import { readUploads } from '../chat/uploads.ts'

/** Parameters without effect, because the flow decides. A client that sends one gets a warning. */
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

/** The parameters of a request that have no effect, as warnings. */
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
 * The question is the last message, the others are the history. The client keeps the conversation: every request is a
 * new session.
 *
 * @param fetchLinks fetches the pictures that are given by web address
 * @throws SluiceError `body_invalid`, `upload_refused`
 */
export async function readChatRequest(
  { messages, overrideConfig }: ChatBody,
  fetchLinks: (sent: readonly SentUpload[]) => Promise<SentUpload[]>,
): Promise<ChatRequest> {
  const conversation = messages.filter((message) => !isInstruction(message))
  const last = conversation.at(-1)
  if (last?.role !== 'user')
    throw new SluiceError('body_invalid', {
      reason: 'the last message must have the role user',
      param: 'messages',
    })
  const { forModel, pictures } = readUploads(await fetchLinks(uploadsOf(last)))
  return {
    question: textOf(last),
    chatId: undefined,
    history: conversation.slice(0, -1).flatMap(pastMessage),
    uploads: forModel,
    files: pictures,
    overrides: overrideConfig ?? {},
    chatType: 'EXTERNAL',
  }
}

function pastMessage(message: ChatMessage): PastMessage[] {
  if (message.role !== 'user' && message.role !== 'assistant') return []
  const content = textOf(message)
  return content === '' ? [] : [{ role: message.role === 'user' ? 'userMessage' : 'apiMessage', content }]
}

const partsOf = ({ content }: ChatMessage) => (Array.isArray(content) ? content : [])

function textOf(message: ChatMessage): string {
  if (typeof message.content === 'string') return message.content
  return partsOf(message)
    .map((part) => (part.type === 'text' ? (part.text as string) : ''))
    .join('')
}

function uploadsOf(message: ChatMessage): SentUpload[] {
  return partsOf(message)
    .filter(({ type }) => type !== 'text')
    .map((part, index) => {
      const name = `${part.type} ${index + 1}`
      if (part.type !== 'image_url') return { type: part.type, name }
      const { url } = part.image_url as { url: string }
      return { type: url.startsWith('data:') ? 'file' : 'url', name, data: url }
    })
}
