import { FIELDS } from '../../src/stores/remote/search-dialects.ts'
import type { BenchChunk } from './bench-chunks.ts'

/** What the helpers of both products' clients send at once, unless told otherwise. */
const BATCH_BYTES = 5_000_000
const IN_FLIGHT = 2

export type BareClient = ReturnType<typeof bareClient>

/** The least that a client of a search server does: documents as JSON, two calls in flight, one refresh at the end. */
export function bareClient(url: string) {
  async function call(
    method: string,
    path: string,
    body?: string,
    type = 'application/json',
  ): Promise<unknown> {
    const answer = await fetch(`${url}${path}`, {
      method,
      ...(body === undefined ? {} : { body, headers: { 'content-type': type } }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`)
    return JSON.parse(text)
  }

  return {
    call: (method: string, path: string, body?: unknown) =>
      call(method, path, body === undefined ? undefined : JSON.stringify(body)),

    /** How many merges of segments are under way. */
    async merges(): Promise<number> {
      const { _all } = (await call('GET', '/_stats/merge')) as {
        _all: { total: { merges: { current: number } } }
      }
      return _all.total.merges.current
    },

    /** Which share of all documents is deleted ones that are in the segments still. */
    async deletedShare(): Promise<number> {
      const { _all } = (await call('GET', '/_stats/docs')) as {
        _all: { primaries: { docs: { count: number; deleted: number } } }
      }
      const { count, deleted } = _all.primaries.docs
      return deleted / Math.max(1, count + deleted)
    },

    async load(index: string, chunks: readonly BenchChunk[]): Promise<void> {
      const calls = bodies(index, chunks)
      const lane = async () => {
        for (const body of calls) {
          const { errors } = (await call('POST', '/_bulk', body, 'application/x-ndjson')) as {
            errors: boolean
          }
          if (errors) throw new Error('a bulk has errors')
        }
      }
      await Promise.all(Array.from({ length: IN_FLIGHT }, lane))
      await call('POST', `/${index}/_refresh`)
    },

    async search(index: string, queries: readonly object[]): Promise<void> {
      if (queries.length === 1) await call('POST', `/${index}/_search`, JSON.stringify(queries[0]))
      else
        await call(
          ...(['POST', `/${index}/_msearch`] as const),
          ...([
            queries.map((query) => `{}\n${JSON.stringify(query)}\n`).join(''),
            'application/x-ndjson',
          ] as const),
        )
    },
  }
}

function* bodies(index: string, chunks: readonly BenchChunk[]): Generator<string> {
  let body = ''
  for (const { document } of chunks) {
    const action = { index: { _index: index, _id: document[FIELDS.id] } }
    body += `${JSON.stringify(action)}\n${JSON.stringify(document)}\n`
    if (body.length < BATCH_BYTES) continue
    yield body
    body = ''
  }
  if (body !== '') yield body
}
