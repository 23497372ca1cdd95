import { DATA_FILES } from '../../contract/data-files.ts'
import { SluiceError } from '../../kit/errors.ts'
import { randomId } from '../../kit/hash.ts'
import { isFull } from '../../kit/storage-failure.ts'
import type { Connection } from './connection.ts'
import { bootId, type Marker } from '../marker.ts'
import { schemaVersion } from './migrations.ts'
import { readSetting } from './read-setting.ts'

/** Names of settings. */
const ID = 'database-id'
const STARTS = 'database-starts'

/**
 * Refuses a database file that took the place of the one that a directory had: one of another program, of another data
 * directory, or an older copy. Only reads.
 *
 * @param marker what the directory records about its database
 * @throws SluiceError `database_replaced`
 */
export function refuseReplaced(connection: Connection, file: string, marker: Marker | undefined): void {
  const reason = replacedReason(connection, marker)
  if (reason === undefined) return
  throw new SluiceError('database_replaced', {
    path: file,
    reason,
    hint: `put the right file back, or bring a backup back with sluice restore into an empty directory; to go on with a ${DATA_FILES.database} of Sluice as it is, delete ${DATA_FILES.marker}`,
  })
}

function replacedReason(connection: Connection, marker: Marker | undefined): string | undefined {
  const tables = connection
    .all<{ name: string }>(`SELECT name FROM sqlite_schema WHERE type = 'table'`)
    .map(({ name }) => name)
  const version = schemaVersion(connection)
  if (version === 0 && tables.length === 0) return undefined
  if (version === 0 || !tables.includes('settings')) return 'it has the tables of another program'
  if (!marker) return undefined
  if (readSetting(connection, ID) !== marker.id)
    return 'it belongs to another data directory, or is an older copy'
  if (startsOf(connection) < marker.starts) return 'it is an older copy, without the changes since then'
  return undefined
}

/** Counts a start of the server in the database. Returns the record for the marker; undefined for none, on a full disk. */
export function countStart(connection: Connection): Marker | undefined {
  const id = readSetting(connection, ID) ?? randomId()
  let starts = startsOf(connection)
  try {
    connection.transaction(() => {
      keep(connection, ID, id)
      keep(connection, STARTS, String(starts + 1))
    })
    starts++
  } catch (error) {
    // The server starts on a full disk too; then this start is not counted.
    if (!isFull(error)) throw error
    if (readSetting(connection, ID) === undefined) return undefined
  }
  return { id, starts, open: true, boot: bootId() }
}

const startsOf = (connection: Connection) => Number(readSetting(connection, STARTS) ?? 0)

const keep = (connection: Connection, name: string, value: string) =>
  connection.run(
    'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    name,
    value,
  )
