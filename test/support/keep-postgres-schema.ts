import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { runMove } from '../../src/db/move/run-move.ts'
import { SCHEMA } from '../../src/db/postgres/schema/schema.ts'
import { fillDirectory } from './full-database.ts'
import { newPostgres } from './postgres.ts'
import { postgresTool } from './postgres-tools.ts'
import { RELEASED_SCHEMAS } from './released-schemas.ts'

/*
 * Keeps the schema of this version, with rows in every table, as a dump that later versions must upgrade. Run it before a release that
 * has new steps of the schema: npm exec -- node test/support/keep-postgres-schema.ts
 */
const { address, drop } = await newPostgres()
const room = mkdtempSync(path.join(tmpdir(), 'sluice-schema-'))
try {
  const directory = path.join(room, 'data')
  await fillDirectory(directory, 40)
  await runMove({ into: 'postgres', directory, address, secretKey: undefined, restart: false }, () => {})
  const dump = postgresTool('pg_dump', ['--no-owner', '--no-privileges', '--rows-per-insert=50', address])
  // Settings of one version of the server, and lines that change with every dump.
  const kept = dump
    .split('\n')
    .filter((line) => !/^(--|$|SET |\\(un)?restrict)/.test(line))
    .join('\n')
  writeFileSync(path.join(RELEASED_SCHEMAS, `step-${SCHEMA.length}.sql`), `${kept}\n`)
} finally {
  await drop()
  rmSync(room, { recursive: true, force: true })
}
process.exit(0)
