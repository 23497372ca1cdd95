import { randomUUID } from 'node:crypto'
import { isObject, type JsonObject } from '../../../src/kit/json.ts'
import { exactScore } from '../../../src/vector/metric.ts'
import type { EngineProtocol, EngineReply, EngineRequest } from './scripted-engine.ts'

type Record_ = { vector: Float32Array; document: string | null; metadata: JsonObject | null }
type ChromaCollection = {
  id: string
  name: string
  space: 'cosine' | 'l2' | 'ip'
  records: Map<string, Record_>
}

const BASE = '/api/v2/tenants/default_tenant/databases/default_database/collections'

/** Version 2 of Chroma's API, as far as the engine uses it. */
export function chromaProtocol(): EngineProtocol {
  const collections = new Map<string, ChromaCollection>()
  const ok = (body: unknown): EngineReply => ({ status: 200, body })
  const refused = (status: number, error: string, message: string) => ({ status, body: { error, message } })
  const missing = () => refused(404, 'NotFoundError', 'Collection does not exist')
  const shown = ({ id, name, space }: ChromaCollection) => ({
    ...{ id, name, tenant: 'default_tenant', database: 'default_database', log_position: 0, version: 0 },
    configuration_json: { hnsw: { space } },
    metadata: null,
    dimension: null,
  })

  function answer({ method, path, body }: EngineRequest, half: boolean): EngineReply {
    const given = isObject(body) ? (body as JsonObject) : {}
    if (!path.startsWith(BASE)) return refused(404, 'NotFoundError', 'no such path')
    const [, place, action] = /^\/([^/]+)(?:\/(\w+))?$/.exec(path.slice(BASE.length)) ?? []
    if (place === undefined) {
      const name = String(given.name)
      if (!/^[a-zA-Z0-9][a-zA-Z0-9._-]{1,510}[a-zA-Z0-9]$/.test(name))
        return refused(400, 'InvalidArgumentError', 'Expected a name containing 3-512 characters')
      const before = collections.get(name)
      if (before && given.get_or_create !== true) return refused(409, 'UniqueConstraintError', 'exists')
      const { space } = (given.configuration as { hnsw: { space: 'l2' } }).hnsw
      const collection = before ?? { id: randomUUID(), name, space, records: new Map() }
      collections.set(name, collection)
      return ok(shown(collection))
    }
    if (action === undefined) {
      const collection = collections.get(place)
      if (!collection) return missing()
      if (method === 'DELETE') collections.delete(place)
      return ok(method === 'DELETE' ? {} : shown(collection))
    }
    const collection = [...collections.values()].find(({ id }) => id === place)
    if (!collection) return missing()
    const { records } = collection
    const ids = given.ids as string[] | undefined
    const done = half ? ids?.slice(0, Math.ceil(ids.length / 2)) : ids
    const include = (given.include ?? ['metadatas', 'documents']) as string[]
    switch (action) {
      case 'upsert': {
        const { embeddings, documents, metadatas } = given as {
          embeddings: number[][]
          documents: string[]
          metadatas: (JsonObject | null)[]
        }
        const length = [...records.values()][0]?.vector.length ?? embeddings[0]!.length
        if (embeddings.some((vector) => vector.length !== length))
          return refused(400, 'InvalidArgumentError', 'Collection expecting another dimension')
        for (const metadata of metadatas)
          if (metadata !== null && Object.values(metadata).some((value) => typeof value === 'object'))
            return refused(
              422,
              'InvalidArgumentError',
              'Expected metadata value to be a str, int, float or bool',
            )
        for (const [at, id] of done!.entries())
          records.set(id, {
            vector: Float32Array.from(embeddings[at]!),
            document: documents[at]!,
            metadata: metadatas[at]!,
          })
        return ok({})
      }
      case 'delete':
        for (const id of done!) records.delete(id)
        return ok({ deleted: done!.length })
      case 'get': {
        const { limit = Infinity, offset = 0 } = given as { limit?: number; offset?: number }
        const found = (ids ?? [...records.keys()])
          .filter((id) => records.has(id))
          .slice(offset, offset + limit)
        return ok({
          ids: found,
          embeddings: include.includes('embeddings') ? found.map((id) => [...records.get(id)!.vector]) : null,
          documents: include.includes('documents') ? found.map((id) => records.get(id)!.document) : null,
          metadatas: include.includes('metadatas') ? found.map((id) => records.get(id)!.metadata) : null,
          ...{ uris: null, include },
        })
      }
      case 'query': {
        const question = Float32Array.from((given.query_embeddings as number[][])[0]!)
        const found = [...records]
          .filter(([, { metadata }]) => meets(metadata ?? {}, given.where))
          .map(([id, { vector }]) => ({ id, vector, distance: distanceOf(collection, question, vector) }))
          .sort((one, other) => one.distance - other.distance)
          .slice(0, given.n_results as number)
        return ok({
          ids: [found.map(({ id }) => id)],
          distances: include.includes('distances') ? [found.map(({ distance }) => distance)] : null,
          embeddings: include.includes('embeddings') ? [found.map(({ vector }) => [...vector])] : null,
          ...{ documents: null, metadatas: null, uris: null, include },
        })
      }
      default:
        return refused(404, 'NotFoundError', 'no such path')
    }
  }

  return { answer, refusal: (status) => ({ error: 'InternalError', message: `status ${status}` }) }
}

/** A condition `{field: {$nin: […]}}`: it holds for records without the field. */
function meets(metadata: JsonObject, where: unknown): boolean {
  if (!isObject(where)) return true
  const [field, condition] = Object.entries(where)[0]!
  const { $nin } = condition as { $nin: unknown[] }
  return !$nin.includes(metadata[field])
}

function distanceOf({ space }: ChromaCollection, question: Float32Array, vector: Float32Array): number {
  if (space === 'l2') return exactScore('euclidean', question, vector) ** 2
  const score = exactScore(space === 'ip' ? 'dot' : 'cosine', question, vector)
  // A vector of zeros.
  return Number.isNaN(score) ? 1 : 1 - score
}
