import { readablePassage } from '../../documents/passage.ts'
import { VISIBLE } from '../ledger/visible.ts'
import type { Connection } from './connection.ts'

/** Of a source with more chunks, the oldest passage counts as its first: ordering its chunks by their text would take too long. */
const ORDERED = 64

/** The first characters of the passage of the first visible chunk of some sources, by id; a source that readers see no chunk of is left out. */
export function readSourceHeads(
  connection: Connection,
  sourceIds: readonly number[],
  characters: number,
): { id: number; head: string }[] {
  const rows = connection.all<{ id: number; head: string }>(
    `SELECT sources.id, substr(content, 1, ?) AS head
     FROM json_each(?) AS wanted JOIN sources ON sources.id = wanted.value
     JOIN passages ON passages.id = CASE WHEN sources.chunks > ${ORDERED}
       THEN (SELECT passage_id FROM chunks WHERE source_id = sources.id AND ${VISIBLE} ORDER BY passage_id LIMIT 1)
       ELSE (SELECT passage_id FROM chunks WHERE source_id = sources.id AND ${VISIBLE} ORDER BY text_start, id LIMIT 1)
       END`,
    characters,
    JSON.stringify(sourceIds),
  )
  return rows.map(({ id, head }) => ({ id, head: readablePassage(head) }))
}
