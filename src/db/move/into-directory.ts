import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { DATA_FILES } from '../../contract/data-files.ts'
import { SluiceError } from '../../kit/errors.ts'
import { makePrivateFile } from '../directory.ts'
import { isMarked, markDirectory } from '../marker.ts'
import { Connection } from '../sqlite/connection.ts'
import { migrate } from '../sqlite/migrations.ts'
import { readSetting } from '../sqlite/read-setting.ts'
import type { MoveState, MoveTarget } from './move.ts'
import { MOVE, MOVED_TABLES } from './moved-tables.ts'
import { insertRows, settleRuns, sqliteRows } from './sqlite-rows.ts'

/**
 * Fills the database of a data directory, which this process has locked. It is made in the folder `moving`, and moved to its
 * place at the end: an interrupted move leaves a directory that no server starts on.
 *
 * @throws SluiceError `move_target_used` for a directory that has a database
 */
export function intoDirectory(
  directory: string,
  { restart }: { restart: boolean },
): MoveTarget & { close(): void } {
  const folder = path.join(directory, DATA_FILES.moving)
  const file = path.join(folder, DATA_FILES.database)
  const target = path.join(directory, DATA_FILES.database)
  if (existsSync(target) || isMarked(directory))
    throw new SluiceError('move_target_used', { place: directory, found: 'a database' })
  if (restart) rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  makePrivateFile(file)
  const connection = new Connection(file)
  // Both take effect on a new file alone, as for the database of a server.
  connection.exec('PRAGMA page_size = 8192; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL')
  migrate(connection, file)
  let open = true
  const close = () => {
    if (open) connection.close()
    open = false
  }
  return {
    rows: sqliteRows(connection),

    async begin(from) {
      const found = readSetting(connection, MOVE)
      const state = found === undefined ? undefined : (JSON.parse(found) as MoveState)
      if (state?.from === from) return state
      if (state)
        throw new SluiceError('move_target_used', {
          place: directory,
          found: 'an unfinished move of another database',
        })
      const begun: MoveState = { from, table: MOVED_TABLES[0]!.name, after: null }
      connection.run('INSERT INTO settings (name, value) VALUES (?, ?)', MOVE, JSON.stringify(begun))
      return begun
    },

    async write(table, rows, _before, after) {
      connection.transaction(() => {
        insertRows(connection, table, rows)
        connection.run('UPDATE settings SET value = ? WHERE name = ?', JSON.stringify(after), MOVE)
      })
    },

    async finish() {
      connection.transaction(() => {
        settleRuns(connection)
        connection.run('DELETE FROM settings WHERE name = ?', MOVE)
      })
      connection.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      close()
      renameSync(file, target)
      rmSync(folder, { recursive: true, force: true })
      markDirectory(directory)
    },

    close,
  }
}
