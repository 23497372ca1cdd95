import { test } from 'node:test'
import { mariadbPath } from './mariadb.ts'
import { pgbouncerPath } from './pgbouncer.ts'
import { pgVectorPrograms, postgresPrograms } from './postgres.ts'
import { promtoolPath } from './promtool.ts'
import { tesseractPath } from './scans.ts'
import { s3Folder } from './s3-server.ts'

/** What tests need besides npm packages; `tools/provide.sh` brings it where it can be had. */
const THINGS = {
  PostgreSQL: postgresPrograms,
  MariaDB: mariadbPath,
  PgBouncer: pgbouncerPath,
  'PostgreSQL with pgvector': pgVectorPrograms,
  'tesseract with German': tesseractPath,
  promtool: promtoolPath,
  'the S3 server of the tests': () => process.env.SLUICE_TEST_S3 ?? s3Folder(),
} satisfies Record<string, () => string | undefined>

export type Need = keyof typeof THINGS

/** Why tests with these needs are skipped on this machine; false where all is there. */
export function lacking(...needs: Need[]): string | false {
  const absent = needs.find((need) => THINGS[need]() === undefined)
  return absent !== undefined && `${absent} is not there (tools/provide.sh)`
}

/**
 * For a file of which every test has these needs: where one is absent, the file is one skipped test, and nothing after this call
 * runs.
 */
export async function needs(...all: Need[]): Promise<void> {
  const skip = lacking(...all)
  if (skip === false) return
  test('all tests of this file', { skip })
  // The module is never evaluated to its end: for Node a fault with an exit code of its own, and a warning.
  process.once('exit', () => {
    process.exitCode = 0
  })
  // Where files share a process, its parent then runs this one by itself.
  if (process.connected) process.disconnect()
  await new Promise(() => {})
}
