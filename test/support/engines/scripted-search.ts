import { isObject, type Json, type JsonObject } from '../../../src/kit/json.ts'
import { exactScore } from '../../../src/vector/metric.ts'
import type { EngineProtocol, EngineReply, EngineRequest } from './scripted-engine.ts'

type Product = 'opensearch' | 'elasticsearch'
type SearchIndex = {
  metric: 'cosine' | 'dot' | 'euclidean'
  dimensions: number
  /** The fields that can be searched. */
  fields: Set<string>
  /** As it was created. */
  made: JsonObject
  aliases: Set<string>
  /** What is written, and what searches see after the last refresh. */
  documents: Map<string, JsonObject>
  visible: Map<string, JsonObject>
}

const METRICS = {
  cosinesimil: 'cosine',
  innerproduct: 'dot',
  l2: 'euclidean',
  cosine: 'cosine',
  max_inner_product: 'dot',
  l2_norm: 'euclidean',
} as const

const asTexts = (settings: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name, typeof value === 'number' ? `${value}` : value]),
  )

/** The protocol of OpenSearch 2 or Elasticsearch 8, as far as the engine uses it. Searches see what a refresh has shown. */
export function searchProtocol(product: Product): EngineProtocol {
  const indexes = new Map<string, SearchIndex>()
  const refused = (status: number, type: string, reason: string): EngineReply => ({
    status,
    body: { error: { type, reason, root_cause: [] }, status },
  })
  const missing = () => refused(404, 'index_not_found_exception', 'no such index')
  const invalid = (reason: string) => refused(400, 'parsing_exception', reason)

  /** The index with a name or an alias. */
  const indexOf = (name: string): SearchIndex | undefined =>
    indexes.get(name) ?? [...indexes.values()].find(({ aliases }) => aliases.has(name))

  /** Some indexes by their names or aliases, those that are there. */
  function describe(names: readonly string[]): JsonObject {
    const found = [...indexes].filter(([name, { aliases }]) =>
      names.some((one) => one === name || aliases.has(one)),
    )
    return Object.fromEntries(
      found.map(([name, { made, aliases }]): [string, JsonObject] => [
        name,
        {
          aliases: Object.fromEntries([...aliases].map((alias) => [alias, {}])),
          mappings: made.mappings!,
          // Settings are texts.
          settings: {
            index: {
              number_of_shards: '1',
              ...asTexts((made.settings as { index?: JsonObject })?.index ?? {}),
            },
          },
        },
      ]),
    )
  }

  function create(name: string, body: JsonObject): EngineReply {
    if (indexes.has(name)) return refused(400, 'resource_already_exists_exception', 'index exists')
    if (name !== name.toLowerCase()) return refused(400, 'invalid_index_name_exception', 'must be lowercase')
    const { properties, dynamic } = body.mappings as { properties: Record<string, JsonObject>; dynamic: Json }
    const vector = Object.values(properties).find(({ type }) => /vector/.test(String(type)))!
    const isOpenSearch = vector.type === 'knn_vector'
    const knn = isObject(body.settings) && isObject(body.settings.index) && body.settings.index.knn === true
    if (isOpenSearch !== (product === 'opensearch') || isOpenSearch !== knn || dynamic !== false)
      return refused(400, 'mapper_parsing_exception', `no handler for type ${String(vector.type)}`)
    const space = isOpenSearch ? (vector.method as JsonObject).space_type : vector.similarity
    indexes.set(name, {
      metric: METRICS[space as keyof typeof METRICS],
      dimensions: (isOpenSearch ? vector.dimension : vector.dims) as number,
      fields: new Set(Object.keys(properties).filter((field) => properties[field]!.enabled !== false)),
      ...{ made: body, aliases: new Set(Object.keys(isObject(body.aliases) ? body.aliases : {})) },
      ...{ documents: new Map(), visible: new Map() },
    })
    return { status: 200, body: { acknowledged: true, shards_acknowledged: true, index: name } }
  }

  /** An index that a product makes by itself for a write, with what it thinks of the fields. */
  function createForWrite(name: string): SearchIndex {
    const mappings = { properties: { embedding: { type: 'float' } } }
    const made: SearchIndex = {
      ...{ metric: 'cosine', dimensions: Number.NaN, fields: new Set(), made: { mappings } },
      ...{ aliases: new Set(), documents: new Map(), visible: new Map() },
    }
    indexes.set(name, made)
    return made
  }

  function bulk(lines: Json[], half: boolean, needsAlias: boolean): EngineReply {
    const items: JsonObject[] = []
    const queue = [...lines] as JsonObject[]
    const count = lines.filter((line) => isObject(line) && ('index' in line || 'delete' in line)).length
    while (queue.length > 0) {
      const [[action, about]] = Object.entries(queue.shift()!) as [[string, { _index: string; _id: string }]]
      const document = action === 'index' ? queue.shift()! : undefined
      const known = needsAlias && indexes.has(about._index) ? undefined : indexOf(about._index)
      const index = known ?? (document && !needsAlias ? createForWrite(about._index) : undefined)
      const skipped = half && items.length >= count / 2
      const wrong = document && index && isWrong(document.embedding, index)
      if (skipped)
        items.push({ [action]: { ...about, status: 429, error: { type: 'rejected', reason: 'busy' } } })
      else if (!index) items.push({ [action]: { ...about, status: 404, error: { type: 'index_not_found' } } })
      else if (wrong) items.push({ [action]: { ...about, status: 400, error: { type: 'mapper_parsing' } } })
      else if (document) {
        index.documents.set(about._id, document)
        items.push({ [action]: { ...about, status: 201 } })
      } else items.push({ [action]: { ...about, status: index.documents.delete(about._id) ? 200 : 404 } })
    }
    const errors = items.some(
      (item) => isObject(Object.values(item)[0]) && 'error' in (Object.values(item)[0] as object),
    )
    return { status: 200, body: { took: 1, errors, items } }
  }

  function search(index: SearchIndex, body: JsonObject): EngineReply {
    const { size, _source, knn, query, sort, search_after, stored_fields, docvalue_fields, ...unknown } = body
    if (Object.keys(unknown).length > 0) return invalid(`unknown key ${Object.keys(unknown).join()}`)
    if ((size as number) > 10_000) return invalid('Result window is too large')
    const ownKnn = isObject(query) && isObject(query.knn) ? (query.knn.embedding as JsonObject) : undefined
    const asked = (product === 'opensearch' ? ownKnn : knn) as JsonObject | undefined
    if ((knn && product === 'opensearch') || (ownKnn && product === 'elasticsearch'))
      return invalid('unknown query [knn]')
    let hits: { id: string; document: JsonObject; score: number }[]
    if (asked) {
      const {
        k,
        num_candidates = k,
        filter,
      } = asked as { k: number; num_candidates?: number; filter?: JsonObject }
      if (num_candidates! < k || num_candidates! > 10_000) return invalid('[num_candidates] is not valid')
      const question = Float32Array.from((asked.vector ?? asked.query_vector) as number[])
      if (isWrong([...question], index))
        return invalid('[cosine] does not support vectors with zero magnitude')
      hits = [...index.visible]
        .filter(([, document]) => document.embedding && (!filter || holds(filter, document, index.fields)))
        .map(([id, document]) => {
          const vector = Float32Array.from(document.embedding as number[])
          return { id, document, score: scoreOf(index, question, vector) }
        })
        .sort((one, other) => other.score - one.score)
        .slice(0, k)
    } else {
      const scored = bm25(query as JsonObject, index)
      hits = [...index.visible]
        .filter(([, document]) => holds(query as JsonObject, document, index.fields))
        .map(([id, document]) => ({ id, document, score: scored(document) }))
        .sort((one, other) => other.score - one.score)
    }
    const [sortField] = sort ? Object.keys((sort as JsonObject[])[0]!) : []
    if (sort) {
      // What has no such field comes last.
      const key = ({ document }: { document: JsonObject }) => String(document[sortField!] ?? '\uffff')
      hits.sort((one, other) => (key(one) < key(other) ? -1 : 1))
      const after = (search_after as string[] | undefined)?.[0]
      if (after !== undefined) hits = hits.filter((hit) => key(hit) > after)
    }
    const shown = hits.slice(0, size as number).map(({ id, document, score }) => ({
      ...{ _index: 'index', _score: sort ? null : score },
      ...(sort ? { sort: [document[sortField!] ?? null] } : {}),
      ...(stored_fields === '_none_' ? {} : { _id: id }),
      ...(Array.isArray(docvalue_fields) ? { fields: columnsOf(document, docvalue_fields as string[]) } : {}),
      ...(Array.isArray(_source) ? { _source: fieldsOf(document, _source as string[]) } : {}),
    }))
    return {
      status: 200,
      body: {
        ...{ took: 1, timed_out: false, _shards: { total: 1, successful: 1, skipped: 0, failed: 0 } },
        hits: { total: { value: hits.length, relation: 'eq' }, max_score: null, hits: shown },
      },
    }
  }

  function answer({ method, path, query, body, lines }: EngineRequest, half: boolean): EngineReply {
    const given = isObject(body) ? (body as JsonObject) : {}
    if (path === '/') {
      const version =
        product === 'opensearch'
          ? { distribution: 'opensearch', number: '2.19.0' }
          : { number: '8.17.0', build_flavor: 'default' }
      const cluster = { cluster_name: 'cluster', cluster_uuid: 'lrDj7vW6RaifBzAwsXyZQA' }
      return { status: 200, body: { name: 'node', ...cluster, version, tagline: 'You Know' } }
    }
    if (method === 'POST' && path === '/_bulk')
      return bulk(lines, half, query.get('require_alias') === 'true')
    const [, names = '', action, alias] = /^\/([^/]+)(?:\/(\w+))?(?:\/([\w.-]+))?$/.exec(path) ?? []
    const name = decodeURIComponent(names)
    if (method === 'GET' && !action) return { status: 200, body: describe(name.split(',')) }
    const index = indexOf(name)
    if (method === 'PUT' && !action) return create(name, given)
    if (!index) return missing()
    if (method === 'HEAD') return { status: 200 }
    if (method === 'DELETE') {
      indexes.delete(name)
      return { status: 200, body: { acknowledged: true } }
    }
    switch (action) {
      case '_alias':
        index.aliases.add(alias!)
        return { status: 200, body: { acknowledged: true } }
      case '_refresh':
        index.visible = new Map(index.documents)
        return { status: 200, body: { _shards: { total: 1, successful: 1, failed: 0 } } }
      case '_mget':
        return {
          status: 200,
          body: {
            docs: (given.ids as string[]).map((_id) => {
              const document = index.documents.get(_id)
              const found = { _id, _index: name, found: document !== undefined }
              const fields = query.get('_source_includes')!.split(',')
              return document ? { ...found, _source: fieldsOf(document, fields) } : found
            }),
          },
        }
      case '_msearch':
        return {
          status: 200,
          body: {
            took: 1,
            responses: Array.from({ length: lines.length / 2 }, (_, at) => {
              const [how, one] = lines.slice(2 * at) as [JsonObject, JsonObject]
              const { status, body } =
                one.knn && how.search_type ? invalid('no [search_type]') : search(index, one)
              return { ...(body as JsonObject), status: status! }
            }),
          },
        }
      case '_search':
        if (given.knn && query.has('search_type'))
          return invalid('cannot set [search_type] when using [knn] search')
        return search(index, given)
      default:
        return invalid('no such path')
    }
  }

  return { answer, refusal: (status) => ({ error: { type: 'failure', reason: `status ${status}` }, status }) }
}

/** Another length than that of the index, or zeros where the cosine is compared: both products refuse them. */
const isWrong = (vector: Json | undefined, { metric, dimensions }: SearchIndex): boolean =>
  Array.isArray(vector) &&
  (vector.length !== dimensions || (metric === 'cosine' && vector.every((number) => number === 0)))

const fieldsOf = (document: JsonObject, fields: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(document).filter(([field]) => fields.includes(field)))

/** The values of columns are lists. */
const columnsOf = (document: JsonObject, fields: readonly string[]): JsonObject =>
  Object.fromEntries(fields.map((field): [string, Json] => [field, [document[field] ?? []].flat() as Json]))

function scoreOf({ metric }: SearchIndex, question: Float32Array, vector: Float32Array): number {
  const score = exactScore(metric, question, vector)
  if (metric === 'cosine') return (1 + score) / 2
  if (metric === 'euclidean') return 1 / (1 + score * score)
  return score < 0 ? 1 / (1 - score) : score + 1
}

const terms = new WeakMap<JsonObject, readonly string[]>()

/** The terms of the text of a document, which never changes. */
function termsOf(document: JsonObject): readonly string[] {
  const known = terms.get(document)
  if (known) return known
  const found =
    String(document.text)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  terms.set(document, found)
  return found
}

/** Scores documents by BM25 of a question (k1 1.2, b 0.75). */
function bm25(query: JsonObject, { visible }: SearchIndex): (document: JsonObject) => number {
  const should = isObject(query.bool) ? ((query.bool.should ?? []) as JsonObject[]) : []
  const all = [...visible.values()].map(termsOf)
  const average = all.reduce((sum, terms) => sum + terms.length, 0) / Math.max(1, all.length)
  const words = should.map((clause) => {
    const { query: word } = (clause.match as { text: { query: string } }).text
    const having = all.filter((terms) => terms.includes(word)).length
    return { word, rarity: Math.log(1 + (all.length - having + 0.5) / (having + 0.5)) }
  })
  return (document) => {
    const own = termsOf(document)
    let score = 0
    for (const { word, rarity } of words) {
      const times = own.filter((term) => term === word).length
      if (times > 0) score += (rarity * times * 2.2) / (times + 1.2 * (0.25 + (0.75 * own.length) / average))
    }
    return score
  }
}

function holds(query: JsonObject, document: JsonObject, fields: ReadonlySet<string>): boolean {
  const [kind, content] = Object.entries(query)[0] as [string, JsonObject]
  const clauses = (name: string) => [content[name] ?? []].flat() as JsonObject[]
  const one = (clause: JsonObject) => holds(clause, document, fields)
  const valuesOf = (field: string): Json[] => {
    if (!fields.has(field)) throw new Error(`${field} is not indexed`)
    return [document[field] ?? []].flat() as Json[]
  }
  switch (kind) {
    case 'match_all':
      return true
    case 'bool': {
      const should = clauses('should')
      const least = (content.minimum_should_match as number | undefined) ?? 0
      return (
        clauses('filter').every(one) && !clauses('must_not').some(one) && should.filter(one).length >= least
      )
    }
    case 'terms': {
      const [field, wanted] = Object.entries(content)[0] as [string, Json[]]
      return valuesOf(field).some((value) => wanted.includes(value))
    }
    case 'match':
      return termsOf(document).includes((content.text as { query: string }).query)
    case 'range': {
      const [field, range] = Object.entries(content)[0] as [string, Record<string, string>]
      const order = (one: Json, other: string) => Buffer.compare(Buffer.from(String(one)), Buffer.from(other))
      return valuesOf(field).some(
        (value) =>
          (range.gt === undefined || order(value, range.gt) > 0) &&
          (range.gte === undefined || order(value, range.gte) >= 0) &&
          (range.lt === undefined || order(value, range.lt) < 0) &&
          (range.lte === undefined || order(value, range.lte) <= 0),
      )
    }
    default:
      throw new Error(`unknown query ${kind}`)
  }
}
