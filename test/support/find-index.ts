import { INDEX_COLUMNS, type IndexRow } from '../../src/db/index-row.ts'
import type { Connection } from '../../src/db/sqlite/connection.ts'

/** The index that readers of a namespace see, read at once. */
export const findIndex = (reader: Connection, namespace: string): IndexRow | undefined =>
  reader.get(`SELECT ${INDEX_COLUMNS} FROM indexes WHERE namespace = ? AND state = 'live'`, namespace)
