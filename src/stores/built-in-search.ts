import type { Candidate, SearchRequest } from '../contract/chunk-store.ts'
import { CHAT_ID_KEY } from '../contract/conversation.ts'
import type { Metadata } from '../contract/document.ts'
import type { Filter } from '../contract/filter.ts'
import {
  chunksOfPassages,
  countVisible,
  hasConversations,
  vectorsOf,
  visibleAmong,
} from '../db/sqlite/chunks.ts'
import type { Connection } from '../db/sqlite/connection.ts'
import { findIndex, type IndexRow } from '../db/sqlite/indexes.ts'
import { type KeywordHit, searchText } from '../db/sqlite/text-search.ts'
import { SluiceError } from '../kit/errors.ts'
import type { Ids } from '../kit/id-set.ts'
import { uuidOf } from '../kit/hash.ts'
import { matches } from '../vector/matches.ts'
import { closeness } from '../vector/metric.ts'
import { candidatesFor, rescore } from '../vector/rescore.ts'
import type { Images } from './images.ts'
import type { SearchImage } from './search-image.ts'

/** How often threads search a large image; then it is done in the snapshot, where no publication comes in between. */
const THREADED_ATTEMPTS = 3

/**
 * The candidates of both sides as one moment of the database has them: what is in memory is brought up to that moment
 * and searched first, everything else is read in one snapshot, so that a run that is published meanwhile is seen whole
 * or not at all. Undefined where something was published in between, or another index has taken the place of this one:
 * it has to be asked again. `attempt` counts from 0.
 *
 * @throws SluiceError `dimension_mismatch`
 */
export async function builtInSearch(
  reader: Connection,
  images: Images,
  index: IndexRow,
  asked: SearchRequest,
  attempt: number,
): Promise<Candidate[] | undefined> {
  const fenced = hasConversations(reader, index.id)
  const request = fenced ? withinConversation(asked) : asked
  const { vector, filter, limit, metric = 'cosine' } = request
  const image = vector && (await images.vectors(index.id))
  const metadata = filter && (await images.metadata(index.id, filter))
  const runs = [image?.run, metadata?.run]
  const allowed = filter && metadata?.allowed(filter)
  if (vector && image) checkLength(vector, image, index)
  const options = { k: candidatesFor(limit), metric, ...(allowed ? { allow: allowed } : {}) }
  const aside = vector && attempt < THREADED_ATTEMPTS ? await image?.nearestAside(vector, options) : undefined
  return reader.snapshot(() => {
    if (findIndex(reader, index.namespace)?.id !== index.id) return undefined
    // Emptied: nothing in memory ever becomes current.
    if (countVisible(reader, index.id) === 0) return []
    // The first file of a conversation was published meanwhile.
    if (hasConversations(reader, index.id) && !fenced) return undefined
    if ((image && !image.shows(runs[0])) || (metadata && !metadata.shows(runs[1]))) return undefined
    const near = aside ?? (vector && image?.nearest(vector, options)) ?? []
    return candidates(reader, index.id, request, { near, allowed })
  })
}

/** What the request asks, of the chunks that belong to its conversation or to none. */
function withinConversation(request: SearchRequest): SearchRequest {
  const path = [CHAT_ID_KEY]
  const shared: Filter = { path, op: 'exists', exists: false }
  const { chatId, filter } = request
  const own: Filter =
    chatId === undefined ? shared : { op: 'or', all: [shared, { path, op: 'eq', value: chatId }] }
  return { ...request, filter: filter ? { op: 'and', all: [own, filter] } : own }
}

/** What memory says: passages close to the vector, more than are asked for, and those that the filter lets through. */
type Found = { near: number[]; allowed: Ids | undefined }

function checkLength(vector: Float32Array, { dimensions }: SearchImage, { namespace }: IndexRow): void {
  if (dimensions !== undefined && vector.length !== dimensions)
    throw new SluiceError('dimension_mismatch', { got: vector.length, want: dimensions, namespace })
}

function candidates(
  reader: Connection,
  indexId: number,
  request: SearchRequest,
  { near, allowed }: Found,
): Candidate[] {
  const { vector, text, limit, filter, metric = 'cosine' } = request
  if (allowed?.size === 0) return []
  const keyword = new Map(
    text === undefined ? [] : byKeyword(reader, indexId, text, limit, allowed).map((hit) => [hit.id, hit]),
  )
  const vectors = vectorsOf(
    reader,
    vector || request.vectors ? [...new Set([...near, ...keyword.keys()])] : [],
  )
  const closest = vector ? rescore(vector, near, vectors, { k: limit, metric }).map(({ id }) => id) : []
  const found = Array.from(new Set([...closest, ...keyword.keys()]), (id) => {
    const own = vectors.get(id)
    return {
      id,
      vectorScore: vector && own ? closeness(metric, vector, own) : null,
      keywordScore: keyword.get(id)?.score ?? null,
      matched: keyword.get(id)?.matched ?? null,
    }
  })
  const ranked = request.rank?.(found) ?? found.map((candidate) => ({ candidate, score: 0 }))
  const chunks = Map.groupBy(
    chunksOfPassages(
      reader,
      ranked.map(({ candidate }) => candidate.id),
    ),
    ({ passageId }) => passageId,
  )

  return ranked.flatMap(({ candidate: { id, vectorScore, keywordScore, matched }, score }) =>
    (chunks.get(id) ?? []).flatMap((chunk) => {
      const metadata = JSON.parse(chunk.metadata) as Metadata
      // Two chunks may share a text and differ in what the filter asks.
      if (filter && !matches(filter, metadata)) return []
      const vector = request.vectors ? vectors.get(id) : undefined
      return {
        id: uuidOf(`${chunk.source}\n${chunk.hash}\n${chunk.metadataHash}`),
        pageContent: chunk.content,
        metadata,
        ...{ vectorScore, keywordScore, matched, score },
        ...(vector ? { vector } : {}),
      }
    }),
  )
}

/** The best `limit` passages by keyword that readers see: the text index also holds what is staged or dead. */
function byKeyword(
  reader: Connection,
  indexId: number,
  text: string,
  limit: number,
  allowed: Ids | undefined,
): KeywordHit[] {
  const hits = searchText(reader, indexId, text, allowed)
  const kept: KeywordHit[] = []
  while (kept.length < limit) {
    const batch = take(hits, limit)
    const ids = batch.map(({ id }) => id)
    const visible = allowed ?? visibleAmong(reader, ids)
    kept.push(...batch.filter(({ id }) => visible.has(id)))
    if (batch.length < limit) break
  }
  return kept.slice(0, limit)
}

/** The next `count`, or fewer where there are no more. */
function take<Item>(items: Iterator<Item>, count: number): Item[] {
  const taken: Item[] = []
  while (taken.length < count) {
    const next = items.next()
    if (next.done) break
    taken.push(next.value)
  }
  return taken
}
