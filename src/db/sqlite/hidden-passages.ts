import type { Connection } from './connection.ts'
import { isVisiblePassage } from './vector-images.ts'

/** Passages of an index that readers see no chunk of, although they are stored. */
export type HiddenIds = {
  /** Another number after each change; 0 for none. */
  readonly version: number
  /** Those from an id up to another one. */
  between(first: number, last: number): Iterable<number> & { readonly length: number }
}

export const NOTHING_HIDDEN: HiddenIds = { version: 0, between: () => [] }

/** The runs in which chunks of an index died that are still stored; 0 is among them where any index has such chunks. */
export const runsOfDeath = (connection: Connection, indexId: number): number[] =>
  connection
    .all<{ run: number }>(
      `WITH RECURSIVE deaths (run) AS (
         SELECT min(died) FROM chunks WHERE died IS NOT NULL
         UNION ALL SELECT (SELECT min(died) FROM chunks WHERE died > run) FROM deaths WHERE run IS NOT NULL)
       SELECT run FROM deaths LEFT JOIN runs ON seq = run WHERE run = 0 OR index_id = ?`,
      indexId,
    )
    .map(({ run }) => run)

/** The next chunks that a run staged, by their ids, with their passages. */
export const passagesOfRun = (
  connection: Connection,
  run: number,
  after: number,
  limit: number,
): { chunk: number; passageId: number }[] =>
  connection.all(
    `SELECT id AS chunk, passage_id AS passageId FROM chunks WHERE id > ? AND born = ? AND died IS NULL
     ORDER BY id LIMIT ?`,
    after,
    run,
    limit,
  )

/** Whether a passage is stored, visible or not. */
export const isStoredPassage = (connection: Connection, passageId: number): boolean =>
  connection.get('SELECT 1 FROM passages WHERE id = ?', passageId) !== undefined

/** The passages that abandoned runs before a run wrote are from `first` to before `end`; other indexes have some of these ids. */
export const abandonedSpans = (
  connection: Connection,
  indexId: number,
  run: number,
): { seq: number; first: number; end: number }[] =>
  connection.all(
    `SELECT seq, first_passage AS first, (SELECT min(first_passage) FROM runs AS next
         WHERE next.index_id = runs.index_id AND next.seq > runs.seq) AS "end"
     FROM runs WHERE index_id = ? AND state = 'abandoned' AND seq < ? AND first_passage IS NOT NULL`,
    indexId,
    run,
  )

/** The next passages of an index after an id, and before `end`, and whether readers see a chunk of them. */
export const passagesBetween = (
  connection: Connection,
  indexId: number,
  { after, end, limit }: { after: number; end: number; limit: number },
): { id: number; visible: boolean }[] =>
  connection
    .all<{ id: number }>(
      'SELECT id FROM passages WHERE id > ? AND id < ? AND index_id = ? ORDER BY id LIMIT ?',
      after,
      end,
      indexId,
      limit,
    )
    .map(({ id }) => ({ id, visible: isVisiblePassage(connection, id) }))
