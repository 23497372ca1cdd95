import type { MovedTableReport, MoveProgress } from '../../contract/data-directory.ts'
import { SluiceError } from '../../kit/errors.ts'
import { hashRows, keyOf, type MovedKey, type MovedRow, type RowSource } from './moved-rows.ts'
import { MOVED_TABLES, type MovedTable } from './moved-tables.ts'

/** How far a move is: all rows of the tables before `table` are there, and of `table` those up to `after`. `from` is the id of the source. */
export type MoveState = { from: string; table: string; after: MovedKey | null }

/** The database that is filled. */
export type MoveTarget = {
  rows: RowSource
  /** The state of the move from a source: of an earlier attempt, or of a new one in an empty database. @throws SluiceError `move_target_used` */
  begin(from: string): Promise<MoveState>
  /** Adds rows and stores the state after them, both or neither. Changes nothing where the rows were added before. */
  write(table: MovedTable, rows: readonly MovedRow[], before: MoveState, after: MoveState): Promise<void>
  /** Makes the database usable by servers. */
  finish(): Promise<void>
}

/**
 * Copies all rows of one database into another, then reads both and compares counts and hashes. After an interruption, the next
 * call goes on behind the last rows that were stored.
 *
 * @param from the id of the source
 * @throws SluiceError `move_target_used`, `move_differs`
 */
export async function moveRows(
  source: RowSource,
  target: MoveTarget,
  from: string,
  note: (progress: MoveProgress) => void,
): Promise<MovedTableReport[]> {
  let state = await target.begin(from)
  const first = MOVED_TABLES.findIndex(({ name }) => name === state.table)
  for (const [at, table] of MOVED_TABLES.entries()) {
    if (at < first) continue
    if (at > first) state = { from, table: table.name, after: null }
    state = await moveTable(source, target, table, state, note)
  }
  const reports: MovedTableReport[] = []
  for (const table of MOVED_TABLES) reports.push(await compareTable(source, target.rows, table, note))
  await target.finish()
  return reports
}

async function moveTable(
  source: RowSource,
  target: MoveTarget,
  table: MovedTable,
  begun: MoveState,
  note: (progress: MoveProgress) => void,
): Promise<MoveState> {
  const total = await source.count(table)
  let rows = begun.after === null ? 0 : await target.rows.count(table)
  let state = begun
  const report = () => note({ step: 'copy', table: table.name, rows, total })
  report()
  let batch = await source.read(table, state.after ?? undefined)
  while (batch.length > 0) {
    const last = keyOf(table, batch.at(-1)!)
    const after: MoveState = { from: begun.from, table: table.name, after: last }
    // The next rows are read while these are written.
    const [next] = await Promise.all([source.read(table, last), target.write(table, batch, state, after)])
    rows += batch.length
    report()
    state = after
    batch = next
  }
  return state
}

async function compareTable(
  source: RowSource,
  target: RowSource,
  table: MovedTable,
  note: (progress: MoveProgress) => void,
): Promise<MovedTableReport> {
  const total = await source.count(table)
  let rows = 0
  const here = hashRows(source, table, (count) => {
    rows += count
    note({ step: 'compare', table: table.name, rows, total })
  })
  const [original, copy] = await Promise.all([here, hashRows(target, table)])
  if (original.rows !== copy.rows || original.hash !== copy.hash)
    throw new SluiceError('move_differs', {
      table: table.name,
      reason: `${original.rows} rows here, ${copy.rows} rows there${original.rows === copy.rows ? ', with other contents' : ''}`,
    })
  return { table: table.name, rows: copy.rows, sha256: copy.hash }
}
