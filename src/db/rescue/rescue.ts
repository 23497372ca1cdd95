import { existsSync, renameSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import type { RescueReport, RescueRequest } from '../../contract/data-directory.ts'
import { reasonOf, SluiceError } from '../../kit/errors.ts'
import { randomId } from '../../kit/hash.ts'
import { createSecretBox } from '../../kit/secret-box.ts'
import { isFull } from '../../kit/storage-failure.ts'
import { makePrivateFile } from '../directory.ts'
import { SECRET_CHECK, SECRET_TEXT } from '../secret-check.ts'
import { addFiles } from '../sqlite/backup.ts'
import { Connection } from '../sqlite/connection.ts'
import { migrate } from '../sqlite/migrations.ts'
import { readSetting } from '../sqlite/read-setting.ts'
import { STORED_SECRET } from '../sqlite/secret-key.ts'
import { ifReadable } from './if-readable.ts'
import { type OldPlace, openOldPlace } from './old-place.ts'
import { oldSecrets } from './old-secrets.ts'
import { RESCUED_TABLES, rescueTable } from './rescued-tables.ts'

/** The setting that says that a server has made its first flow. */
const QUICKSTART = 'quickstart'

/**
 * Writes flows, API keys, credentials, variables and chats of a data directory or a backup with schema 8 to 23 as a backup, which
 * `restoreDirectory` restores. Documents, jobs, executions and the audit are not in it. The old database is only read.
 *
 * @throws SluiceError `database_unusable`, `database_newer`, `rescue_needless`, `rescue_impossible`, `rescue_target_exists`,
 *   `backup_failed`, `storage_full`, `data_dir_unusable`
 */
export async function rescueDirectory(request: RescueRequest): Promise<RescueReport> {
  const { from, file, force } = request
  const place = openOldPlace(from)
  const partial = `${file}.partial-${randomId().slice(0, 8)}`
  try {
    refuseTarget(request)
    makePrivateFile(partial)
    // One moment of it, also where a server writes. It ends with the connection: after a damaged page nothing can be committed.
    place.connection.exec('BEGIN')
    const rescued = copyInto(partial, place, request)
    const { flows, keys, credentials, secret } = addFiles(partial, [])
    // Another command may have made the file meanwhile.
    if (!force) refuseTarget(request)
    renameSync(partial, file)
    const { schema, isInUse } = place
    const counts = { flows, keys, credentials, secret, bytes: statSync(file).size }
    return { file, schema, isInUse, ...counts, ...rescued }
  } catch (error) {
    rmSync(partial, { force: true })
    if (error instanceof SluiceError) throw error
    if (isFull(error)) throw new SluiceError('storage_full', {}, { cause: error })
    throw new SluiceError('backup_failed', { file, reason: reasonOf(error) }, { cause: error })
  } finally {
    place.connection.close()
    rmSync(`${partial}-journal`, { force: true })
  }
}

function refuseTarget({ from, file, force }: RescueRequest): void {
  if (!force && existsSync(file)) throw new SluiceError('rescue_target_exists', { file })
  const inside = path.relative(path.resolve(from), path.resolve(file))
  if (!inside.startsWith('..') && !path.isAbsolute(inside))
    throw new SluiceError('backup_failed', { file, reason: 'it would be inside the data directory' })
}

type Rescued = Pick<RescueReport, 'variables' | 'messages' | 'unreadable' | 'damage'>

/** Makes a database of the present schema in an empty file, and copies into it. */
function copyInto(partial: string, place: OldPlace, { from, secretKey }: RescueRequest): Rescued {
  const into = new Connection(partial)
  try {
    // As in a data directory, see database.ts; the journal needs no file, because a failure removes the copy.
    into.exec('PRAGMA page_size = 8192; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = MEMORY')
    migrate(into, partial)
    return into.transaction(() => {
      const secrets = oldSecrets(place.connection, from, secretKey)
      const damage = [...place.damage]
      const unreadable: string[] = []
      const rows = new Map<string, number>()
      for (const table of RESCUED_TABLES) {
        const result = rescueTable({ from: place.connection, into }, table, (row) => {
          if (table.name !== 'credentials') return {}
          const { id, name, kind, sealed } = row
          const again = secrets.reseal({
            id: String(id),
            name: String(name),
            kind: String(kind),
            sealed: String(sealed),
          })
          if (again === undefined) unreadable.push(String(name))
          return again === undefined ? {} : { sealed: again }
        })
        rows.set(table.name, result.rows)
        damage.push(...result.damage)
      }
      const { text, isSetting } = secrets.chosen
      for (const [name, value] of [
        [SECRET_CHECK, createSecretBox(text).seal(SECRET_TEXT)],
        // A start moves it into the file secret.key.
        ...(isSetting ? [] : [[STORED_SECRET, text] as const]),
        [QUICKSTART, quickstartOf(place.connection)],
      ] as const)
        into.run('INSERT INTO settings (name, value) VALUES (?, ?)', name, value)
      const [variables, messages] = ['variables', 'chat_messages'].map((name) => rows.get(name) ?? 0)
      return { variables: variables!, messages: messages!, unreadable, damage }
    })
  } finally {
    into.close()
  }
}

/** A restored directory gets no first flow: it had one, which may be removed or changed. */
const quickstartOf = (connection: Connection): string =>
  ifReadable(() => readSetting(connection, QUICKSTART)) ?? 'rescued'
