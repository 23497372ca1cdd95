import { isDeepStrictEqual } from 'node:util'
import { SluiceError } from '../../kit/errors.ts'
import type { PostgresDatabase } from '../postgres/database.ts'
import type { SqlSession, SqlTransaction } from '../postgres/session.ts'
import type { MoveState, MoveTarget } from './move.ts'
import { MOVE, MOVED_FROM, MOVED_TABLES } from './moved-tables.ts'
import {
  copyMoved,
  emptyTables,
  MOVE_STATEMENT_MS,
  postgresRows,
  settleNumbers,
  usedTable,
} from './postgres-rows.ts'

/**
 * Fills a PostgreSQL database. The state of the move is a setting, which changes in the transaction that adds the rows, so an
 * interruption leaves neither a gap nor a row that comes twice.
 *
 * @param restart deletes what an earlier attempt has left, and begins anew
 */
export function intoPostgres(
  database: PostgresDatabase,
  { place, restart }: { place: string; restart: boolean },
): MoveTarget {
  const options = { limitMs: MOVE_STATEMENT_MS, repeatable: true }
  const refuse = (found: string) => new SluiceError('move_target_used', { place, found })
  return {
    rows: postgresRows(database),

    begin: (from) =>
      database.transaction(async (sql) => {
        // Two moves that begin together wait for each other here.
        await sql.run('LOCK TABLE settings IN SHARE ROW EXCLUSIVE MODE')
        const found = await readState(sql)
        if (found && restart) await emptyTables(sql)
        else if (found?.from === from) return found
        else if (found) throw refuse('an unfinished move of another database')
        else {
          if ((await setting(sql, MOVED_FROM)) === from) throw new SluiceError('move_done', { place })
          const used = await usedTable(sql)
          if (used !== undefined) throw refuse(`rows in ${used}`)
        }
        const state: MoveState = { from, table: MOVED_TABLES[0]!.name, after: null }
        await sql.run('INSERT INTO settings (name, value) VALUES ($1, $2)', MOVE, JSON.stringify(state))
        return state
      }, options),

    write: (table, rows, before, after) =>
      database.transaction(async (sql) => {
        const found = await readState(sql, 'FOR UPDATE')
        // The answer to the first commit was lost.
        if (isDeepStrictEqual(found, after)) return
        // A table without rows stores no state.
        if (
          !found ||
          found.from !== before.from ||
          (before.after !== null && !isDeepStrictEqual(found, before))
        )
          throw refuse('another move that goes on at the same time')
        await copyMoved(sql, table, rows)
        await sql.run('UPDATE settings SET value = $1 WHERE name = $2', JSON.stringify(after), MOVE)
      }, options),

    async finish() {
      await database.transaction(async (sql) => {
        const state = await readState(sql, 'FOR UPDATE')
        if (!state) return
        await settleNumbers(sql)
        await sql.run('DELETE FROM settings WHERE name = ANY($1)', [MOVE, MOVED_FROM])
        await sql.run('INSERT INTO settings (name, value) VALUES ($1, $2)', MOVED_FROM, state.from)
      }, options)
      await database.transaction((sql) => sql.run('ANALYZE'), options)
    },
  }
}

const setting = async (sql: SqlSession, name: string, lock = ''): Promise<string | undefined> =>
  (await sql.get<{ value: string }>(`SELECT value FROM settings WHERE name = $1 ${lock}`, name))?.value

async function readState(sql: SqlTransaction, lock: 'FOR UPDATE' | '' = ''): Promise<MoveState | undefined> {
  const text = await setting(sql, MOVE, lock)
  return text === undefined ? undefined : (JSON.parse(text) as MoveState)
}
