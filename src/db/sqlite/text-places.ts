import { VISIBLE } from '../ledger/visible.ts'
import type { Connection } from './connection.ts'

/** Where texts without a known range are put: after the others of their source. */
const NO_START = 2 ** 52

/**
 * A key for each of some passages that readers see, by which they are ordered: the name of the source, the place of the text in
 * it, then the hash of the text. Of several chunks the first one counts. It is the same in every database with these chunks.
 */
export function placesOf(connection: Connection, passageIds: readonly number[]): Map<number, string> {
  const places = new Map<number, string>()
  for (const { id, name, start, hash } of connection.all<{
    id: number
    name: string
    start: number | null
    hash: string
  }>(
    `SELECT passage_id AS id, name, text_start AS start, chunks.hash AS hash FROM json_each(?)
     JOIN chunks ON passage_id = value JOIN sources ON sources.id = source_id WHERE ${VISIBLE}`,
    JSON.stringify(passageIds),
  )) {
    const place = `${name}\0${String(start ?? NO_START).padStart(16, '0')}\0${hash}`
    const known = places.get(id)
    if (known === undefined || place < known) places.set(id, place)
  }
  return places
}
