import { createHash } from 'node:crypto'
import type { EngineRequest } from '../../contract/vector-engine.ts'
import type { JsonObject } from '../../kit/json.ts'
import { withoutStopWords } from '../../text/terms/stop-words.ts'
import { type Narrowing, narrowingOfSearch } from './narrowing.ts'
import { orderRange } from './order-terms.ts'
import { FIELDS, type SearchDialect } from './search-dialects.ts'

/** The most words of a question; each is a clause of the query. */
const MAX_WORDS = 64

/**
 * The searches of a question: by vector, and where that finds fewer than asked, again with a condition; by words.
 *
 * @param hasCosine whether a vector can be compared
 */
export function searchesOf(
  { vector, text, limit, filter, withoutRuns, vectors = false }: EngineRequest,
  { knn, hasCosine }: Pick<SearchDialect, 'knn'> & { hasCosine(vector: Float32Array): boolean },
): Partial<Record<'byVector' | 'again' | 'byWords', Search>> {
  const narrowing = narrowingOfSearch({ filter, withoutRuns }, ['number', 'string'])
  const condition = narrowing && conditionOf(narrowing)
  const common = { size: limit, ...(vectors ? { _source: VECTOR_FIELDS } : ID_ALONE) }
  const words = text === undefined ? [] : wordsOf(text)
  const preference = copiesOf(
    vector ? Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength) : text!,
  )
  const nearest = (filter: JsonObject | undefined): Search => ({
    body: { ...common, ...knn({ vector: Array.from(vector!), limit, filter }) },
    how: { preference },
  })
  return {
    ...(vector && hasCosine(vector) ? { byVector: nearest(condition) } : {}),
    ...(vector && hasCosine(vector) && !condition ? { again: nearest(EVERY_POINT) } : {}),
    ...(words.length > 0
      ? {
          byWords: {
            body: { ...common, query: wordQuery(words, condition) },
            how: { preference, search_type: ALL_SHARDS },
          },
        }
      : {}),
  }
}

/**
 * How a question gets the same answer each time: it asks the same copies, which have graphs of their own and count deleted documents
 * differently. Other questions ask others.
 */
const copiesOf = (question: Buffer | string): string =>
  createHash('sha256').update(question).digest('hex').slice(0, 8)

/** Rarity of words is counted over all shards, not in each alone. Elasticsearch refuses this for vectors, which have none. */
const ALL_SHARDS = 'dfs_query_then_fetch'

/**
 * A condition that every point meets. Deleted documents stay in the graph of vectors until a merge, and a search among them may end before
 * it has met others. Only with a condition it then compares all points that meet it.
 */
const EVERY_POINT = conditionOf({ op: 'none', facts: ['-'] })

export const VECTOR_FIELDS: string[] = [FIELDS.vector, FIELDS.zeros]

/** The vector of a document, where it was read. */
export function vectorIn({ _source }: FoundHit): Float32Array | undefined {
  const { [FIELDS.vector]: numbers, [FIELDS.zeros]: zeros } = _source ?? {}
  if (Array.isArray(numbers)) return Float32Array.from(numbers as number[])
  return typeof zeros === 'number' ? new Float32Array(zeros) : undefined
}

/** A document that a search has found. */
export type ReadHit = {
  _id: string
  _score: number
  _source?: JsonObject
  fields?: Record<string, string[]>
  /** Of a search with an order: null where the document has no such field. */
  sort?: (string | null)[]
}

/** The same, perhaps by its column alone. */
export type FoundHit = Omit<ReadHit, '_id'> & { _id?: string }

/** `how`: what both products take beside the body, in the address or in a line before it. */
export type Search = { body: JsonObject; how?: Record<string, string> }

/**
 * The id of a point is read from its column. What products keep of a document, its vector among it, is in one compressed block with others:
 * reading only `_id` there took longer than the search.
 */
const ID_ALONE = { stored_fields: '_none_', docvalue_fields: [FIELDS.id] }

/** Undefined for a document of another program. */
export const idOf = ({ _id, fields }: FoundHit): string | undefined => fields?.[FIELDS.id]?.[0] ?? _id

function conditionOf(narrowing: Narrowing): JsonObject {
  switch (narrowing.op) {
    case 'and':
      return { bool: { filter: narrowing.all.map(conditionOf) } }
    case 'or':
      return { bool: { should: narrowing.all.map(conditionOf), minimum_should_match: 1 } }
    case 'some':
      return { terms: { [FIELDS.facts]: narrowing.facts } }
    case 'none':
      return { bool: { must_not: [{ terms: { [FIELDS.facts]: narrowing.facts } }] } }
    default: {
      const range = orderRange(narrowing)
      return range ? { range: { [FIELDS.order]: range } } : { match_all: {} }
    }
  }
}

/** The words of a question, each once, without stop words unless it has only these. */
function wordsOf(question: string): string[] {
  const split = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  const bare = split(withoutStopWords(question))
  return [...new Set(bare.length > 0 ? bare : split(question))].slice(0, MAX_WORDS)
}

/** BM25 of all words. */
const wordQuery = (words: readonly string[], condition: JsonObject | undefined): JsonObject => ({
  bool: {
    should: words.map((query) => ({ match: { [FIELDS.text]: { query } } })),
    minimum_should_match: 1,
    ...(condition ? { filter: [condition] } : {}),
  },
})
