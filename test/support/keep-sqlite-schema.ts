import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { backupDirectory } from '../../src/db/sqlite/backup.ts'
import { Connection } from '../../src/db/sqlite/connection.ts'
import { SCHEMA_VERSION } from '../../src/db/sqlite/migrations.ts'
import { fillDirectory } from './full-database.ts'
import { keepSchema } from './sqlite-schemas.ts'

/*
 * Keeps a data directory and a backup with the schema of this version, with rows in every table, which later versions must open. Run it
 * with each new step of the schema: npm exec -- node test/support/keep-sqlite-schema.ts
 */
const room = mkdtempSync(path.join(tmpdir(), 'sluice-schema-'))
try {
  const [directory, backup] = [path.join(room, 'data'), path.join(room, 'backup.sluice')]
  await fillDirectory(directory, 10)
  const connection = new Connection(path.join(directory, 'sluice.db'))
  connection.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)')
  connection.close()
  await backupDirectory(directory, backup)
  keepSchema(SCHEMA_VERSION, { directory, backup })
} finally {
  rmSync(room, { recursive: true, force: true })
}
process.exit(0)
