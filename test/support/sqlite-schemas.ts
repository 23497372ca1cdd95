import { SCHEMA_VERSION } from '../../src/db/sqlite/migrations.ts'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'

/** The folder with a data directory and a backup of each schema of SQLite that a landed version had, as that version made them. */
const KEPT = fileURLToPath(new URL('../fixtures/sqlite-schemas/', import.meta.url))

const [DATABASE, BACKUP, SECRET] = ['sluice.db.br', 'backup.sluice.br', 'secret.key']

const folderOf = (schema: number) => path.join(KEPT, `schema-${schema}`)

/** The numbers of these schemas. */
export const KEPT_SCHEMAS: readonly number[] = readdirSync(KEPT)
  .map((name) => Number(name.replace('schema-', '')))
  .sort((one, other) => one - other)

/** Makes the kept data directory of a schema. */
export function unpackDirectory(schema: number, directory: string): void {
  mkdirSync(directory, { recursive: true })
  writeFileSync(path.join(directory, 'sluice.db'), unpacked(schema, DATABASE))
  copyFileSync(path.join(folderOf(schema), SECRET), path.join(directory, SECRET))
}

/** Writes the kept backup of a schema into a file. */
export const unpackBackup = (schema: number, file: string): void =>
  writeFileSync(file, unpacked(schema, BACKUP))

const unpacked = (schema: number, name: string) =>
  brotliDecompressSync(readFileSync(path.join(folderOf(schema), name)))

/** Keeps the directory and the backup of a schema. */
export function keepSchema(schema: number, from: { directory: string; backup: string }): void {
  const folder = folderOf(schema)
  mkdirSync(folder, { recursive: true })
  const pack = (file: string, name: string) =>
    writeFileSync(
      path.join(folder, name),
      brotliCompressSync(readFileSync(file), { params: { [constants.BROTLI_PARAM_LGWIN]: 24 } }),
    )
  pack(path.join(from.directory, 'sluice.db'), DATABASE)
  pack(from.backup, BACKUP)
  copyFileSync(path.join(from.directory, SECRET), path.join(folder, SECRET))
}

/** SQL that takes the newest step of the schema back: the database is then one of the version before. */
export const UNDO_NEWEST_STEP = `
  DROP TABLE flow_drafts;
  DROP TABLE questions;
  DROP TABLE question_runs;
  ALTER TABLE sources DROP COLUMN gaps;
  PRAGMA user_version = ${SCHEMA_VERSION - 1}`
