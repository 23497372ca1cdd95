import type { Json, JsonObject } from '../../../src/kit/json.ts'
import type { Operation } from '../described.ts'
import type { ExampleCall } from '../example-calls.ts'
import { sampleOf } from '../openapi/sample.ts'
import { type Below, odd, ODD_TEXTS, pick, spoiled } from './odd.ts'

export type FuzzRequest = {
  method: string
  path: string
  headers: Record<string, string>
  body: string | Uint8Array<ArrayBuffer> | FormData | undefined
}

/** A request as its example or its schemas have it. */
export type Draft = Omit<ExampleCall, 'headers'> & { headers: Record<string, string> }

/** The example with what the schemas of the operation allow: another body, further parameters. */
export function bySchema(example: ExampleCall, { parameters, requestBody }: Operation, below: Below): Draft {
  const options = { full: below(2) === 0, choice: below(4) }
  const [path = '', search] = example.path.split('?') as [string, string | undefined]
  const query = new URLSearchParams(search)
  const headers: Record<string, string> = { ...example.headers }
  for (const { name, in: where, schema } of parameters) {
    if (where === 'path' || below(2) === 0) continue
    const value = sampleOf(schema as JsonObject, options)
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    if (where === 'query') query.set(name, text)
    else if (where === 'header') headers[name] = text
  }
  const schema = requestBody?.content['application/json']?.schema as JsonObject | undefined
  const body = schema && !example.files ? { ...(sampleOf(schema, options) as JsonObject) } : example.body
  return {
    ...example,
    path: query.size === 0 ? path : `${path}?${query}`,
    headers,
    // What the example names exists; a sample of a schema names things that do not.
    body: body && below(2) === 0 ? { ...body, ...example.body } : body,
  }
}

/** Puts an odd value into the path, the query, the headers or the body. */
export function mutated(draft: Draft, below: Below): Draft {
  const [path = '', search] = draft.path.split('?') as [string, string | undefined]
  switch (below(draft.body || draft.files ? 10 : 4)) {
    case 0: {
      const steps = path.split('/')
      steps[steps.length - 1 - below(Math.min(2, steps.length - 1))] = asPath(pick(below, ODD_TEXTS))
      return { ...draft, path: steps.join('/') + (search === undefined ? '' : `?${search}`) }
    }
    case 1: {
      const query = new URLSearchParams(search)
      const name = pick(below, [...query.keys(), 'page', 'limit', 'filter', 'source', 'chatId'])
      const value = odd(below)
      query.append(name, typeof value === 'string' ? value.toWellFormed() : JSON.stringify(value))
      return { ...draft, path: `${path}?${query}` }
    }
    case 2:
    case 3:
      return { ...draft, headers: { ...draft.headers, ...pick(below, ODD_HEADERS) } }
    default:
      if (draft.files) return { ...draft, files: oddFiles(draft.files, below) }
      return { ...draft, body: spoiled(draft.body as Json, below) as JsonObject }
  }
}

const asPath = (text: string) => encodeURIComponent(text.toWellFormed())

const ODD_HEADERS: readonly Record<string, string>[] = [
  { 'idempotency-key': 'the-same' },
  { 'idempotency-key': 'x'.repeat(300) },
  { prefer: 'respond-async' },
  { prefer: 'wait=0' },
  { 'last-event-id': '-1' },
  { origin: 'https://other.example' },
  { origin: 'null' },
  { accept: 'text/event-stream' },
  { accept: 'image/png' },
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-type': 'multipart/form-data' },
  { 'content-type': 'multipart/form-data; boundary=x' },
  { 'content-encoding': 'gzip' },
  { 'x-forwarded-for': '203.0.113.7, x' },
  { range: 'bytes=0-1' },
  { 'if-none-match': '*' },
  { 'mcp-protocol-version': '1' },
  { authorization: '' },
]

const CONTENTS = [
  '',
  'Otters swim.',
  '\u0000\u0001\u0002',
  '%PDF-1.4',
  '{"a": 1}',
  'PK\u0003\u0004',
  '<p>Otters',
]

function oddFiles(files: Readonly<Record<string, string>>, below: Below): Record<string, string> {
  const name =
    pick(below, ODD_TEXTS).slice(0, 300) + pick(below, ['', '.txt', '.pdf', '.json', '.docx', '.csv'])
  return { ...(below(2) ? files : {}), [name]: pick(below, CONTENTS) }
}

/** The bytes of a request; sometimes they do not fit its headers. */
export function written(draft: Draft, below: Below, spoil: boolean): FuzzRequest {
  const { method, path, files } = draft
  const headers = { ...draft.headers }
  // Neither GET nor HEAD can have a body with `fetch`.
  if (method === 'GET') return { method, path, headers, body: undefined }
  if (files) {
    const form = new FormData()
    for (const [name, content] of Object.entries(files)) form.append('files', new File([content], name))
    if (spoil && below(2) === 0)
      form.append(pick(below, ['chunkSize', 'overrideConfig', 'chatId', '__proto__']), pick(below, ODD_TEXTS))
    return { method, path, headers, body: form }
  }
  if (draft.body === undefined) return { method, path, headers, body: undefined }
  const text = JSON.stringify(draft.body)
  headers['content-type'] ??= 'application/json'
  if (!spoil || below(8) > 0) return { method, path, headers, body: text }
  switch (below(4)) {
    case 0:
      return { method, path, headers, body: text.slice(0, below(text.length + 1)) }
    case 1:
      return { method, path, headers, body: `${text}${text}` }
    case 2:
      return { method, path, headers, body: Uint8Array.from([0xff, 0xfe, ...Buffer.from(text)]) }
    default:
      return { method, path, headers, body: text.replace(/[",:{}]/, '') }
  }
}
