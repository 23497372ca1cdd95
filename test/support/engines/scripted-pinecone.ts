import { isObject, type Json, type JsonObject } from '../../../src/kit/json.ts'
import { exactScore } from '../../../src/vector/metric.ts'
import type { EngineProtocol, EngineReply, EngineRequest } from './scripted-engine.ts'

type PineconeVector = { id: string; values: number[]; metadata: JsonObject }
type Namespace = Map<string, PineconeVector>

/** How many questions an index of Pinecone is behind its writes. */
const BEHIND = 2

/**
 * The data plane of Pinecone, as far as the engine uses it. A write is seen by the third question after it; its number and
 * the number that the index has reached are in headers.
 */
export function pineconeProtocol(): EngineProtocol & { questions: number } {
  const written = new Map<string, Namespace>()
  const visible = new Map<string, Namespace>()
  let lsn = 0
  let reached = 0
  const waiting: { lsn: number; asked: number; work(): void }[] = []

  const refused = (status: number, message: string): EngineReply => ({
    status,
    body: { code: status === 404 ? 5 : 3, message, details: [] },
  })
  const spaceOf = (spaces: Map<string, Namespace>, name: string) => {
    const space = spaces.get(name) ?? new Map<string, PineconeVector>()
    spaces.set(name, space)
    return space
  }

  function write(work: (spaces: Map<string, Namespace>) => void, body: unknown): EngineReply {
    work(written)
    waiting.push({ lsn: ++lsn, asked: 0, work: () => work(visible) })
    return { status: 200, body, headers: { 'x-pinecone-request-lsn': `${lsn}` } }
  }

  /** A question brings the index nearer to its writes. */
  function catchUp(): void {
    for (const one of waiting) one.asked++
    while (waiting[0] && waiting[0].asked > BEHIND) {
      const next = waiting.shift()!
      next.work()
      reached = next.lsn
    }
  }

  function answer({ method, path, query, body }: EngineRequest, half: boolean): EngineReply {
    const given = isObject(body) ? (body as JsonObject) : {}
    const namespace = String(given.namespace ?? query.get('namespace') ?? '')
    const first = <Item>(items: Item[]) => (half ? items.slice(0, Math.ceil(items.length / 2)) : items)
    const [, index] = /^\/indexes\/([^/]+)$/.exec(path) ?? []
    if (index !== undefined) return describeIndex(index)
    switch (`${method} ${path}`) {
      case 'POST /vectors/upsert': {
        const vectors = given.vectors as PineconeVector[]
        if (vectors.length > 1000) return refused(400, 'Vectors: list too long')
        for (const { values, metadata } of vectors) {
          if (values.every((number) => number === 0))
            return refused(400, 'Dense vectors must contain at least one non-zero value')
          if (Buffer.byteLength(JSON.stringify(metadata)) > 40_960)
            return refused(400, 'Metadata size is too large')
          for (const [key, value] of Object.entries(metadata))
            if (key.startsWith('$') || !isTaken(value))
              return refused(400, 'Metadata value must be a string …')
        }
        const done = first(vectors)
        return write(
          (spaces) => {
            for (const vector of done) spaceOf(spaces, namespace).set(vector.id, vector)
          },
          { upsertedCount: done.length },
        )
      }
      case 'POST /vectors/delete': {
        if (!written.has(namespace)) return refused(404, 'Namespace not found')
        const ids = first((given.ids ?? []) as string[])
        if (ids.length > 1000) return refused(400, 'Too many ids')
        return write((spaces) => {
          if (given.deleteAll === true) spaces.delete(namespace)
          else for (const id of ids) spaceOf(spaces, namespace).delete(id)
        }, {})
      }
      case 'GET /vectors/fetch': {
        catchUp()
        const space = visible.get(namespace) ?? new Map<string, PineconeVector>()
        const found = query.getAll('ids').flatMap((id) => space.get(id) ?? [])
        return {
          status: 200,
          body: { namespace, vectors: Object.fromEntries(found.map((one) => [one.id, one])) },
        }
      }
      case 'GET /vectors/list': {
        catchUp()
        const limit = Number(query.get('limit'))
        if (limit > 100) return refused(400, 'limit must be at most 100')
        const after = query.get('paginationToken') ?? ''
        const ids = [...(visible.get(namespace)?.keys() ?? [])].filter((id) => id > after).sort()
        const page = ids.slice(0, limit)
        const pagination = ids.length > limit ? { pagination: { next: page.at(-1) } } : {}
        return { status: 200, body: { namespace, vectors: page.map((id) => ({ id })), ...pagination } }
      }
      case 'POST /query': {
        protocol.questions++
        catchUp()
        const space = visible.get(namespace) ?? new Map<string, PineconeVector>()
        const question = (given.vector ?? space.get(String(given.id))?.values) as number[] | undefined
        const matches = [...(question ? space.values() : [])]
          .filter(({ metadata }) => !isObject(given.filter) || holds(given.filter as JsonObject, metadata))
          .map(({ id, values }) => ({
            id,
            score: exactScore('cosine', Float32Array.from(question!), Float32Array.from(values)),
            values: given.includeValues === true ? values : [],
          }))
          .sort((one, other) => other.score - one.score)
          .slice(0, given.topK as number)
        return {
          status: 200,
          body: { namespace, matches, usage: { readUnits: 1 } },
          headers: { 'x-pinecone-max-indexed-lsn': `${reached}` },
        }
      }
      default:
        return refused(404, 'no such path')
    }
  }

  const protocol = {
    ...{ answer, questions: 0 },
    refusal: (status: number) => ({ code: 13, message: `status ${status}`, details: [] }),
  }
  return protocol
}

/** The control plane: two indexes, of which one has another metric. */
function describeIndex(name: string): EngineReply {
  const metric = { docs: 'cosine', other: 'dotproduct' }[name]
  if (metric === undefined)
    return {
      status: 404,
      body: { status: 404, error: { code: 'NOT_FOUND', message: `Resource ${name} not found` } },
    }
  return {
    status: 200,
    body: {
      ...{ name, metric, dimension: 2, vector_type: 'dense', host: `${name}-x1.svc.pinecone.io` },
      spec: { serverless: { cloud: 'aws', region: 'us-east-1' } },
      status: { ready: true, state: 'Ready' },
    },
  }
}

const isTaken = (value: Json): boolean =>
  ['string', 'number', 'boolean'].includes(typeof value) ||
  (Array.isArray(value) && value.every((one) => typeof one === 'string'))

/** Filters as Pinecone has them: a condition on a list holds where it holds for one of its elements. */
function holds(filter: JsonObject, metadata: JsonObject): boolean {
  return Object.entries(filter).every(([key, value]) => {
    if (key === '$and') return (value as JsonObject[]).every((one) => holds(one, metadata))
    if (key === '$or') return (value as JsonObject[]).some((one) => holds(one, metadata))
    const own = [metadata[key] ?? []].flat() as Json[]
    return Object.entries(value as JsonObject).every(([operator, wanted]) => {
      const numbers = own.filter((one) => typeof one === 'number')
      switch (operator) {
        case '$in':
          return own.some((one) => (wanted as Json[]).includes(one))
        case '$nin':
          return !own.some((one) => (wanted as Json[]).includes(one))
        case '$gt':
          return numbers.some((one) => one > Number(wanted))
        case '$gte':
          return numbers.some((one) => one >= Number(wanted))
        case '$lt':
          return numbers.some((one) => one < Number(wanted))
        case '$lte':
          return numbers.some((one) => one <= Number(wanted))
        default:
          throw new Error(`unknown operator ${operator}`)
      }
    })
  })
}
