import { isObject, type Json } from '../../kit/json.ts'
import type { ReadHit } from './search-queries.ts'

/**
 * The hits in the answer to a search; undefined where a part of the index did not answer. A shard that is nowhere at that moment, as while
 * another copy takes the place of a lost one, counts neither as successful nor as failed.
 */
export function wholeHitsIn(body: Json | undefined): ReadHit[] | undefined {
  const { hits, timed_out, _shards } = isObject(body) ? body : {}
  const { total = 0, successful = total, failed = 0 } = isObject(_shards) ? _shards : {}
  if (timed_out === true || Number(failed) > 0 || Number(successful) < Number(total)) return undefined
  return (isObject(hits) && Array.isArray(hits.hits) ? hits.hits : []) as ReadHit[]
}

/** The documents in the answer to `_mget` that are there; undefined where it is not known of all whether they are. */
export function wholeDocumentsIn(body: Json | undefined): ReadHit[] | undefined {
  const read = isObject(body) && Array.isArray(body.docs) ? body.docs : []
  const isUnknown = (one: unknown) =>
    isObject(one) && isObject(one.error) && one.error.type !== 'index_not_found_exception'
  if (read.some(isUnknown)) return undefined
  return (read as (ReadHit & { found?: boolean })[]).filter(({ found }) => found)
}

/**
 * Whether a refresh has reached every copy that is there. One that it has not reached answers searches as before: nothing else refreshes it.
 * Copies that are nowhere read all that was written when they begin.
 */
export function isRefreshed(body: Json | undefined): boolean {
  const { failed = 0 } = isObject(body) && isObject(body._shards) ? body._shards : {}
  return failed === 0
}
