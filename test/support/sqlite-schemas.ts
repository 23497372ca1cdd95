import { Connection } from '../../src/db/sqlite/connection.ts'
import { SCHEMA_VERSION, schemaOf } from '../../src/db/sqlite/migrations.ts'
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

type SchemaObject = { type: string; name: string; tbl_name: string; sql: string }

/**
 * SQL that makes a database of the newest schema one of an earlier version, as far as steps have added tables, columns and indexes: it
 * drops what that version does not have, and makes what it had.
 *
 * @throws Error where a step did something else to a table that stays
 */
export function undoTo(version: number): string {
  const [earlier, newest] = [emptyOf(version), emptyOf(SCHEMA_VERSION)]
  try {
    const [before, after] = [objectsOf(earlier), objectsOf(newest)]
    const isTable = ({ type }: SchemaObject) => type === 'table'
    const kept = [...after.values()].filter((one) => isTable(one) && before.has(one.name))
    const undo = [
      // An index goes with its table, and before its columns.
      ...[...after.values()]
        .filter((one) => !isTable(one) && before.has(one.tbl_name) && before.get(one.name)?.sql !== one.sql)
        .map(({ type, name }) => `DROP ${type} ${name}`),
      ...[...after.values()]
        .filter((one) => isTable(one) && !before.has(one.name))
        .toReversed()
        .map(({ name }) => `DROP TABLE ${name}`),
      ...kept.flatMap(({ name }) => {
        const had = columnsOf(earlier, name)
        return columnsOf(newest, name)
          .filter((column) => !had.includes(column))
          .map((column) => `ALTER TABLE ${name} DROP COLUMN ${column}`)
      }),
      ...[...before.values()]
        .filter((one) => !isTable(one) && after.get(one.name)?.sql !== one.sql)
        .map(({ sql }) => sql),
      `PRAGMA user_version = ${version}`,
    ].join('; ')
    newest.exec(undo)
    for (const { name } of kept)
      if (columnsOf(newest, name).join() !== columnsOf(earlier, name).join())
        throw new Error(
          `undoTo(${version}) in test/support/sqlite-schemas.ts cannot take back what was done to ${name}`,
        )
    return undo
  } finally {
    earlier.close()
    newest.close()
  }
}

function emptyOf(version: number): Connection {
  const connection = new Connection(':memory:')
  connection.exec(schemaOf(version)!)
  return connection
}

/** By name, in the order in which they were made. */
const objectsOf = (connection: Connection) =>
  new Map(
    connection
      .all<SchemaObject>(
        'SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid',
      )
      .filter(({ name }) => !name.startsWith('sqlite_'))
      .map((one) => [one.name, one]),
  )

const columnsOf = (connection: Connection, table: string): string[] =>
  connection.all<{ name: string }>('SELECT name FROM pragma_table_info(?)', table).map(({ name }) => name)

/** SQL that takes the newest step of the schema back: the database is then one of the version before. */
export const UNDO_NEWEST_STEP = undoTo(SCHEMA_VERSION - 1)
