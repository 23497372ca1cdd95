import { conversationFilter } from '../../documents/conversation.ts'
import type { Metadata } from '../../contract/document.ts'
import type { Filter } from '../../contract/filter.ts'
import type { Metric } from '../../contract/retrieval.ts'
import type { Candidate, SearchRequest } from '../../contract/search.ts'
import { SluiceError } from '../../kit/errors.ts'
import { isObject, type Json, type JsonObject } from '../../kit/json.ts'
import { matches } from '../../vector/matches.ts'
import { closeness } from '../../vector/metric.ts'
import type { EngineServer } from './engine-server.ts'

export type OutsideCollection = {
  server: EngineServer
  /** The name of the engine in messages. */
  engine: string
  collection: string
  contentKey: string
  metadataKey: string
  metric: Metric
}

/** By how much a search is widened when too few of its points meet the filter, and its most points. */
const WIDENING = 8
const MOST = 20_000

/**
 * The best of a collection that another program has filled, as Flowise does: a text and metadata in the payload, in the
 * default vector or the only named one. No candidates where there is no such collection. A value or a range of a filter
 * narrows the search; all of the filter is checked afterwards, as in the built-in store.
 *
 * @throws SluiceError `engine_unfit` where its vectors have another length than that of the request, `provider_failed`
 */
export async function outsidePoints(
  { server, engine, collection, contentKey, metadataKey, metric }: OutsideCollection,
  request: SearchRequest,
): Promise<Candidate[]> {
  const { vector, limit } = request
  if (!vector) return []
  const path = `/collections/${encodeURIComponent(collection)}`
  const described = await server.call({ method: 'GET', path, expected: [404] })
  if (described.status === 404) return []
  const { name, size } = vectorsIn(described.body)
  if (size !== vector.length)
    throw new SluiceError('engine_unfit', {
      engine,
      reason: `its collection ${collection} has vectors of ${size} numbers, and the embeddings have ${vector.length}`,
    })
  const filter = conversationFilter(request)
  const must = conditionsOf(filter, metadataKey)
  for (let wide = limit; ; wide = Math.min(MOST, wide * WIDENING)) {
    const body: JsonObject = {
      query: Array.from(vector),
      limit: wide,
      with_payload: [contentKey, metadataKey],
      with_vector: true,
      ...(name === undefined ? {} : { using: name }),
      ...(must.length > 0 ? { filter: { must } } : {}),
    }
    const answer = await server.call({ method: 'POST', path: `${path}/points/query`, body, expected: [404] })
    const result = isObject(answer.body) ? answer.body.result : undefined
    const listed: unknown[] = isObject(result) && Array.isArray(result.points) ? result.points : []
    const points = listed.filter(isObject)
    const found = points.flatMap((point): Candidate[] => {
      const payload = isObject(point.payload) ? point.payload : {}
      const metadata = (isObject(payload[metadataKey]) ? payload[metadataKey] : {}) as Metadata
      const pageContent = payload[contentKey]
      if (typeof pageContent !== 'string' || (filter && !matches(filter, metadata))) return []
      const own = Float32Array.from(vectorOf(point.vector, name))
      return [
        {
          ...{ id: String(point.id), pageContent, metadata },
          ...{ vectorScore: closeness(metric, vector, own), keywordScore: null, matched: null },
          ...(request.vectors ? { vector: own } : {}),
        },
      ]
    })
    if (found.length >= limit || points.length < wide || wide === MOST) return found.slice(0, limit)
  }
}

/** The vectors of a collection: the default ones, or the only ones with a name. */
function vectorsIn(body: Json | undefined): { name?: string; size: number } {
  let vectors: unknown = body
  for (const key of ['result', 'config', 'params', 'vectors'])
    vectors = isObject(vectors) ? vectors[key] : undefined
  if (!isObject(vectors)) return { size: 0 }
  if (typeof vectors.size === 'number') return { size: vectors.size }
  const [[name, named] = ['', undefined], ...others] = Object.entries(vectors)
  return others.length === 0 && isObject(named) && typeof named.size === 'number'
    ? { name, size: named.size }
    : { size: 0 }
}

const vectorOf = (vector: unknown, name: string | undefined): number[] =>
  (name !== undefined && isObject(vector) ? vector[name] : vector) as number[]

/** The conditions of a filter that Qdrant can check: those that all points have to meet, by a value or a range. */
function conditionsOf(filter: Filter | undefined, metadataKey: string): JsonObject[] {
  if (!filter) return []
  if (filter.op === 'and') return filter.all.flatMap((part) => conditionsOf(part, metadataKey))
  if (!('path' in filter) || !filter.path.every((key) => /^[\w-]+$/.test(key))) return []
  // A key that contains the dots itself would come first.
  if (filter.path.length > 1) return []
  const key = [metadataKey, ...filter.path].join('.')
  if (filter.op === 'eq' && isWord(filter.value)) return [{ key, match: { value: filter.value } }]
  if (filter.op === 'gt' || filter.op === 'gte' || filter.op === 'lt' || filter.op === 'lte')
    return typeof filter.value === 'number' ? [{ key, range: { [filter.op]: filter.value } }] : []
  return []
}

const isWord = (value: Json): boolean =>
  typeof value === 'string' || typeof value === 'boolean' || Number.isSafeInteger(value)
