import type { ChunkAnswer } from '../api/query.ts'
import { isObject, type Json, type JsonObject, parseJson } from '../kit/json.ts'
import { Failure } from './failure.ts'
import { type Client, jsonBody } from './http.ts'

/** What an answer brings, in the order of its arrival; `done` is the last. */
export type AnswerEvent =
  | { type: 'text'; text: string }
  | { type: 'tools'; tools: { tool: string; failed: boolean }[] }
  | { type: 'sources'; sources: ChunkAnswer[] }
  | { type: 'waiting'; question: string }
  | { type: 'done'; chatId: string | undefined }

/** Asks a flow, and gives its answer as it comes. @throws Failure, also for one that breaks off */
export async function* askFlow(
  client: Client,
  flow: string,
  request: JsonObject,
): AsyncGenerator<AnswerEvent> {
  let chatId: string | undefined
  let ended = false
  const path = `prediction/${encodeURIComponent(flow)}`
  for await (const { event, data } of client.stream(path, jsonBody({ ...request, streaming: true }))) {
    const value = parseJson(data)
    if (!isObject(value))
      throw new Failure(`What answers at ${client.url.origin} does not answer questions as Sluice does`)
    if (event === 'answer') {
      yield* whole(value as JsonObject)
      return
    }
    const told = toldBy(String(value.event), value.data as Json)
    if (told) yield told
    if (value.event === 'metadata' && isObject(value.data)) chatId = textIn(value.data.chatId)
    if (value.event === 'end') ended = true
  }
  if (!ended) throw new Failure('The answer broke off: the connection ended before the answer did')
  yield { type: 'done', chatId }
}

/** An answer in one piece. */
function* whole(answer: JsonObject): Generator<AnswerEvent> {
  const text = answer.json === undefined ? textIn(answer.text) : JSON.stringify(answer.json, null, 2)
  if (text) yield { type: 'text', text }
  for (const event of ['usedTools', 'sourceDocuments', 'action']) {
    const told = answer[event] === undefined ? undefined : toldBy(event, answer[event])
    if (told) yield told
  }
  yield { type: 'done', chatId: textIn(answer.chatId) }
}

function toldBy(event: string, data: Json): AnswerEvent | undefined {
  switch (event) {
    case 'token':
      return { type: 'text', text: String(data) }
    case 'usedTools':
      return {
        type: 'tools',
        tools: rows(data).map(({ tool, error }) => ({ tool: String(tool), failed: Boolean(error) })),
      }
    case 'sourceDocuments':
      return { type: 'sources', sources: rows(data) as unknown as ChunkAnswer[] }
    case 'action':
      return { type: 'waiting', question: waitingFor(data) }
    case 'error':
      throw new Failure(String(data))
    default:
      return undefined
  }
}

const rows = (data: Json): JsonObject[] => (Array.isArray(data) ? data : []).filter(isObject) as JsonObject[]
const textIn = (value: unknown) => (typeof value === 'string' ? value : undefined)

function waitingFor(action: Json): string {
  const data = isObject(action) && isObject(action.data) ? action.data : {}
  return textIn(data.input) ?? 'The flow waits for a person to approve what it is about to do.'
}
