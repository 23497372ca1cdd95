import { createEgressRules, type RuleTexts } from '../../src/kit/egress/rules.ts'
import { createEgress, type Egress, type EgressFetch } from '../../src/kit/egress/client.ts'
import { isObject, type Json, type JsonObject } from '../../src/kit/json.ts'
import { bodyOf, SEARCHES } from '../fixtures/search-answers.ts'
import type { ChatCall, ChatServer, Scene } from './chat-server.ts'
import { EMBED_DIALECTS } from './embed-dialects.ts'
import type { ProviderServer } from './provider-server.ts'

/** Paths of chat protocols below any base address, and those of the scripted server. */
const CHATS: readonly (readonly [RegExp, string])[] = [
  [/\/chat\/completions$/, '/v1/chat/completions'],
  [/\/responses$/, '/v1/responses'],
  [/\/messages$/, '/v1/messages'],
  [/\/api\/chat$/, '/api/chat'],
]

/**
 * A way out for flows of others: the rules of a server decide what may be called, a scripted model and embedder answer in the place of
 * every provider, search services and OpenAI's moderation answer as their descriptions show it, and any other service answers
 * `{"ok": true}`. No name is looked up.
 */
export function recordedEgress(
  texts: RuleTexts,
  { chat, embeddings }: { chat: ChatServer; embeddings: ProviderServer },
): Egress {
  const rules = createEgressRules(texts)
  const real = createEgress({ rules })
  const answering =
    (check: (address: string) => void): EgressFetch =>
    async (input, init) => {
      const url = new URL(String(input))
      check(url.href)
      const place = placeOf(url)
      if (place !== undefined) return fetch(place, init)
      const search = SEARCHES.find(({ address }) => address === `${url.origin}${url.pathname}`)
      if (search) return new Response(bodyOf(search.answer), { headers: { 'content-type': search.type } })
      if (url.host === 'oauth2.googleapis.com') return Response.json({ access_token: 'of-the-test' })
      if (url.host === 'api.replicate.com' && url.pathname.endsWith('/predictions'))
        return Response.json({ id: 'p1', status: 'succeeded', output: ['An ', 'answer.'] })
      if (url.pathname.endsWith('/moderations')) return Response.json({ results: [{ flagged: false }] })
      return Response.json({ ok: true })
    }
  const placeOf = ({ host, pathname }: URL): string | undefined => {
    if (EMBED_DIALECTS.some(({ path }) => path.test(`/${host}${pathname}`)))
      return `${embeddings.url}/${host}${pathname}`
    const found = CHATS.find(([pattern]) => pattern.test(pathname))
    if (found) return `${chat.url}${found[1]}`
    if (/\/embeddings$/.test(pathname)) return `${embeddings.url}/v1/embeddings`
    if (/\/api\/embed$/.test(pathname)) return `${embeddings.url}/api/embed`
    if (/:(streamG|g)enerateContent$/.test(pathname)) return `${chat.url}${pathname}`
    return undefined
  }
  const clientOf = (given: Egress): Egress => ({
    ...given,
    fetch: answering(given.checkPlace),
    limited: () => answering(given.checkPlace),
    forProvider: (...place) => clientOf(given.forProvider(...place)),
    forMcp: () => clientOf(given.forMcp()),
  })
  return clientOf(real)
}

/** A model that does what it is asked for: it calls each of its tools once, answers in the wanted form, or with a sentence. */
export const willing: Scene = (call: ChatCall) => {
  const { body } = call
  const tool = uncalledTool(body)
  if (tool) return { calls: [tool] }
  const schema = wantedSchema(body)
  if (schema) return { text: JSON.stringify(sampleOf(schema)) }
  // Protocols without a form of the answer have it in the text.
  if (JSON.stringify(body).includes('Answer with JSON, {\\"scenario\\"')) return { text: '{"scenario": 0}' }
  return { text: 'An answer.' }
}

function uncalledTool({ tools, messages, contents }: JsonObject) {
  const said = JSON.stringify(messages ?? contents ?? [])
  for (const raw of Array.isArray(tools) ? tools : []) {
    const tool = isObject(raw) && isObject(raw.function) ? raw.function : raw
    if (!isObject(tool) || typeof tool.name !== 'string') continue
    if (said.includes(`"name":${JSON.stringify(tool.name)}`)) continue
    const schema = tool.parameters ?? tool.input_schema
    return { name: tool.name, input: isObject(schema) ? (sampleOf(schema as JsonObject) as JsonObject) : {} }
  }
  return undefined
}

function wantedSchema({ response_format, format }: JsonObject): JsonObject | undefined {
  if (isObject(format)) return format as JsonObject
  if (!isObject(response_format) || !isObject(response_format.json_schema)) return undefined
  const { schema } = response_format.json_schema
  return isObject(schema) ? (schema as JsonObject) : undefined
}

/** A value that fits a schema. */
function sampleOf(schema: JsonObject): Json {
  const { type, properties, items, enum: values } = schema
  if (Array.isArray(values) && values.length > 0) return values[0]!
  if (type === 'object' || isObject(properties))
    return Object.fromEntries(
      Object.entries(isObject(properties) ? (properties as JsonObject) : {}).map(([name, inner]) => [
        name,
        isObject(inner) ? sampleOf(inner as JsonObject) : '',
      ]),
    )
  if (type === 'array') return isObject(items) ? [sampleOf(items as JsonObject)] : []
  if (type === 'number' || type === 'integer') return 0
  if (type === 'boolean') return true
  return 'Oslo'
}
