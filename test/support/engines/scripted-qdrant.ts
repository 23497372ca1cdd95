import { isObject, type Json, type JsonObject } from '../../../src/kit/json.ts'
import { exactScore } from '../../../src/vector/metric.ts'
import type { EngineProtocol, EngineReply, EngineRequest } from './scripted-engine.ts'

type QdrantPoint = { id: string; vector: Float32Array; payload: JsonObject }
type QdrantCollection = {
  size: number
  distance: 'Cosine' | 'Dot' | 'Euclid'
  indexes: Map<string, Json>
  points: Map<string, QdrantPoint>
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const METRICS = { Cosine: 'cosine', Dot: 'dot', Euclid: 'euclidean' } as const

/**
 * The protocol of Qdrant 1.18, as far as the engine uses it. Writes without `wait=true` are taken, and not seen before
 * `settle()`; with `Cosine`, vectors are stored at length 1.
 */
export function qdrantProtocol(): EngineProtocol & {
  collections: Map<string, QdrantCollection>
  settle(): void
} {
  const collections = new Map<string, QdrantCollection>()
  const waiting: (() => void)[] = []
  const ok = (result: unknown): EngineReply => ({ status: 200, body: { result, status: 'ok', time: 0.001 } })
  const refused = (status: number, error: string): EngineReply => ({
    status,
    body: { status: { error }, time: 0.001 },
  })

  function apply(query: URLSearchParams, work: () => void): EngineReply {
    const waits = query.get('wait') === 'true'
    if (waits) work()
    else waiting.push(work)
    return ok({ operation_id: 1, status: waits ? 'completed' : 'acknowledged' })
  }

  /** A write that is not finished in time. */
  function unfinished(work: () => void): EngineReply {
    work()
    return ok({ operation_id: 1, status: 'wait_timeout' })
  }

  function answer({ method, path, query, body }: EngineRequest, half: boolean): EngineReply {
    const [, name, rest = ''] = /^\/collections\/([^/]+)(?:\/(.+))?$/.exec(path) ?? []
    if (name === undefined) return refused(404, 'no such path')
    const given = isObject(body) ? (body as JsonObject) : {}
    const collection = collections.get(name)
    const call = `${method} ${rest}`.trim()
    if (call === 'PUT') {
      if (collection) return refused(409, `Wrong input: Collection \`${name}\` already exists!`)
      const { size, distance } = given.vectors as { size: number; distance: 'Cosine' }
      collections.set(name, { size, distance, indexes: new Map(), points: new Map() })
      return ok(true)
    }
    if (call === 'DELETE') return ok(collections.delete(name))
    if (!collection) return refused(404, `Not found: Collection \`${name}\` doesn't exist!`)
    switch (call) {
      case 'GET': {
        const { size, distance } = collection
        const config = { params: { vectors: { size, distance } } }
        return ok({ config, status: 'green', optimizer_status: 'ok', segments_count: 1, payload_schema: {} })
      }
      case 'PUT index':
        return apply(query, () => collection.indexes.set(String(given.field_name), given.field_schema!))
      case 'PUT points': {
        const points = given.points as { id: string; vector: number[]; payload: JsonObject }[]
        const wrong = points.find(({ id, vector }) => !UUID.test(id) || vector.length !== collection.size)
        if (wrong) return refused(400, 'Wrong input: Vector dimension error, or an id that is no UUID')
        const done = half ? points.slice(0, Math.ceil(points.length / 2)) : points
        const work = () => {
          for (const { id, vector, payload } of done)
            collection.points.set(id, { id, payload, vector: stored(collection, vector) })
        }
        return half ? unfinished(work) : apply(query, work)
      }
      case 'POST points/delete': {
        const ids = given.points as string[]
        const done = half ? ids.slice(0, Math.ceil(ids.length / 2)) : ids
        const work = () => {
          for (const id of done) collection.points.delete(id)
        }
        return half ? unfinished(work) : apply(query, work)
      }
      case 'POST points':
        return ok(
          (given.ids as string[]).flatMap((id) => {
            const point = collection.points.get(id)
            return point ? [shown(point, given)] : []
          }),
        )
      case 'POST points/scroll': {
        const limit = given.limit as number
        const from = (given.offset as string | undefined) ?? ''
        const after = [...collection.points.values()]
          .filter(({ id }) => id >= from)
          .sort((one, other) => (one.id < other.id ? -1 : 1))
        return ok({
          points: after.slice(0, limit).map((point) => shown(point, given)),
          next_page_offset: after[limit]?.id ?? null,
        })
      }
      case 'POST points/query': {
        const vector = given.query as number[]
        if (vector.length !== collection.size) return refused(400, 'Wrong input: Vector dimension error')
        const question = stored(collection, vector)
        const sign = collection.distance === 'Euclid' ? -1 : 1
        const found = [...collection.points.values()]
          .filter(({ payload }) => given.filter === undefined || holds(given.filter as JsonObject, payload))
          .map((point) => ({ point, score: scoreOf(collection, question, point.vector) }))
          .sort((one, other) => sign * (other.score - one.score))
          .slice(0, given.limit as number)
        return ok({
          points: found.map(({ point, score }) => ({ ...shown(point, given), version: 1, score })),
        })
      }
      default:
        return refused(404, 'no such path')
    }
  }

  return {
    answer,
    refusal: (status) => ({ status: { error: `Service internal error: status ${status}` }, time: 0 }),
    collections,
    settle() {
      for (const work of waiting.splice(0)) work()
    },
  }
}

function stored({ distance }: QdrantCollection, vector: number[]): Float32Array {
  const length = Math.hypot(...vector)
  return Float32Array.from(distance === 'Cosine' && length > 0 ? vector.map((one) => one / length) : vector)
}

function scoreOf({ distance }: QdrantCollection, question: Float32Array, vector: Float32Array): number {
  const score = exactScore(METRICS[distance], question, vector)
  return distance === 'Euclid' ? -score : Number.isNaN(score) ? 0 : score
}

function shown({ id, vector, payload }: QdrantPoint, { with_payload, with_vector }: JsonObject): JsonObject {
  const all = with_payload === true ? Object.keys(payload) : []
  const keys = Array.isArray(with_payload) ? (with_payload as string[]) : all
  const kept = keys.filter((key) => Object.hasOwn(payload, key)).map((key) => [key, payload[key]!] as const)
  return {
    id,
    payload: Object.fromEntries(kept),
    ...(with_vector === true ? { vector: [...vector] } : {}),
  }
}

/** Filters as Qdrant has them: a condition on a list holds where it holds for one of its elements. */
function holds(filter: JsonObject, payload: JsonObject): boolean {
  const { must = [], should, must_not = [], ...unknown } = filter as Record<string, JsonObject[]>
  if (Object.keys(unknown).length > 0) throw new Error(`unknown in a filter: ${Object.keys(unknown).join()}`)
  const one = (condition: JsonObject): boolean =>
    'key' in condition ? meets(condition, payload) : holds(condition, payload)
  return (
    must.every(one) &&
    !must_not.some(one) &&
    (should === undefined || should.length === 0 || should.some(one))
  )
}

function meets({ key, match, range }: JsonObject, payload: JsonObject): boolean {
  const values = valuesAt(payload, keysOf(String(key)))
  if (isObject(match)) {
    const wanted = (match.any ?? [match.value]) as Json[]
    return values.some((value) => wanted.includes(value))
  }
  const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = range as Record<string, number>
  return values.some(
    (value) => typeof value === 'number' && value > gt && value >= gte && value < lt && value <= lte,
  )
}

/** The keys of a path: `a."b.c"` has two. */
const keysOf = (path: string): string[] =>
  [...path.matchAll(/"([^"]*)"|[^."]+/g)].map(([whole, inner]) => inner ?? whole)

function valuesAt(value: Json | undefined, keys: string[]): Json[] {
  const [key, ...rest] = keys
  if (Array.isArray(value)) return value.flatMap((one) => valuesAt(one, keys))
  if (key === undefined) return value === undefined ? [] : [value]
  return isObject(value) && Object.hasOwn(value, key) ? valuesAt(value[key] as Json, rest) : []
}
