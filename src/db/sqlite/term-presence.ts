import { mayHaveTerm } from '../../keyword/term-filter.ts'
import type { Connection } from './connection.ts'
import { segmentsToSearch } from './text-segment-cache.ts'

/** How many segments may have a term, and how many passages these segments have. */
export type TermPresence = { segments: number; passages: number }

/**
 * Where terms may be, by the filters of the segments alone: no page is read. Of the segments without a term, 0.8 % are
 * counted too.
 *
 * @returns in the order of the terms
 */
export function termPresence(
  connection: Connection,
  indexId: number,
  terms: readonly number[],
): TermPresence[] {
  const presence = terms.map(() => ({ segments: 0, passages: 0 }))
  for (const { filter, ids } of segmentsToSearch(connection, indexId))
    for (const [at, term] of terms.entries()) {
      if (!mayHaveTerm(filter, term)) continue
      presence[at]!.segments++
      presence[at]!.passages += ids.size
    }
  return presence
}
