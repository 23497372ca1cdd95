import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { fillTables } from '../../test/support/full-database.ts'
import { UNDO_NEWEST_STEP } from '../../test/support/sqlite-schemas.ts'
import { MOVED_TABLES, NOT_MOVED, typesOf } from '../db/move/moved-tables.ts'
import { SCHEMA } from '../db/postgres/schema/schema.ts'
import { REPOSITORY_WRITES } from '../db/repositories/writes.ts'
import { Connection } from '../db/sqlite/connection.ts'
import { migrate, SCHEMA_VERSION } from '../db/sqlite/migrations.ts'
import { isObject } from '../kit/json.ts'

/* What a new table needs besides its repository, in the order of "A table" in CONTRIBUTING.md. */

const root = path.join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

/** Types of `contract/` that no repository of rows implements. */
const NO_ROWS = ['chat-run-store.ts', 'chunk-store.ts']

test('each store of contract/ has a suite that both databases run', () => {
  const suites = read('test/contract/repository-suites.ts')
  for (const file of globSync('*-store.ts', { cwd: path.join(root, 'src/contract') })) {
    if (NO_ROWS.includes(file)) continue
    const listed = suites.includes(`'./${file}'`)
    assert.ok(
      listed,
      `write test/contract/${file}, the suite of src/contract/${file}, and list it in repository-suites.ts`,
    )
  }
})

/** Stores that the two databases make in ways of their own. */
const NOT_ALIKE = ['flowExecutionStore', 'jobStore']

test('each store of db/repositories is handed to both databases by row-stores.ts', async () => {
  const handed = read('src/backend/row-stores.ts')
  for (const file of globSync('*.ts', { cwd: path.join(root, 'src/db/repositories') }))
    for (const name of Object.keys((await import(`../db/repositories/${file}`)) as object))
      if (name.endsWith('Store') && !NOT_ALIKE.includes(name))
        assert.ok(handed.includes(` ${name}(`), `src/backend/row-stores.ts has no ${name} of ${file}`)
})

test('each write of a repository is listed in writes.ts, where the writing thread finds it', async () => {
  const listed = new Set<unknown>(REPOSITORY_WRITES)
  for (const file of globSync('*.ts', { cwd: path.join(root, 'src/db/repositories') })) {
    const exported = (await import(`../db/repositories/${file}`)) as Record<string, unknown>
    for (const [name, value] of Object.entries(exported)) {
      const isWrite = isObject(value) && typeof value.name === 'string' && typeof value.run === 'function'
      assert.ok(
        !isWrite || listed.has(value),
        `src/db/repositories/writes.ts does not list ${name} of ${file}`,
      )
    }
  }
})

test('each table of SQLite is moved, or is named among those that are not, and PostgreSQL has it too', (t) => {
  const connection = new Connection(':memory:')
  t.after(() => connection.close())
  migrate(connection, ':memory:')
  const columns = connection.all<{ name: string; column: string }>(
    `SELECT sqlite_schema.name, info.name AS "column" FROM sqlite_schema, pragma_table_info(sqlite_schema.name) AS info
     WHERE sqlite_schema.type = 'table' AND sqlite_schema.name NOT LIKE 'sqlite%'`,
  )
  const moved = new Set(
    MOVED_TABLES.flatMap((table) => typesOf(table).map(([column]) => `${table.name}.${column}`)),
  )
  const left = new Set<string>(NOT_MOVED.sqlite)
  const made = new Set(
    SCHEMA.flatMap(({ sql }) => [...sql.matchAll(/CREATE TABLE (\w+)/g)].map(([, name]) => name)),
  )
  for (const { name, column } of columns) {
    if (left.has(name) || left.has(`${name}.${column}`)) continue
    assert.ok(moved.has(`${name}.${column}`), `name ${name}.${column} in src/db/move/moved-tables.ts`)
    assert.ok(made.has(name), `src/db/postgres/schema/ makes no table ${name}`)
  }
  const inPostgres = postgresColumns()
  for (const { name } of MOVED_TABLES)
    for (const { column } of columns.filter((one) => one.name === name && moved.has(`${name}.${one.column}`)))
      assert.ok(
        inPostgres.has(`${name}.${column}`),
        `src/db/postgres/schema/ makes no column ${name}.${column}`,
      )
})

/** `table.column` for all that the steps of the schema of PostgreSQL make. */
function postgresColumns(): Set<string> {
  const found = new Set<string>()
  for (const { sql } of SCHEMA) {
    for (const [, name, body] of sql.matchAll(/CREATE TABLE (\w+) \(([^;]*)/g))
      for (const [, column] of body!.matchAll(/(\w+) (?:text|bigint|integer|smallint|bytea|boolean)\b/g))
        found.add(`${name}.${column}`)
    for (const [, name, changes] of sql.matchAll(/ALTER TABLE (\w+)([^;]*)/g))
      for (const [, column] of changes!.matchAll(/ADD COLUMN (\w+)/g)) found.add(`${name}.${column}`)
  }
  return found
}

test('ids in PostgreSQL are compared as bytes, as in SQLite', () => {
  const texts = SCHEMA.flatMap(({ sql }) => [
    ...sql.matchAll(/^ *(\w+) text\b(?! COLLATE "C")[^,\n]*(PRIMARY KEY|REFERENCES)/gm),
  ])
  assert.deepEqual(
    texts.map(([line]) => line.trim()),
    [],
    'write text COLLATE "C" in src/db/postgres/schema/',
  )
})

test('each column that is sealed with the secret is named sealed, and sealed anew where the secret changes', () => {
  const sealed = MOVED_TABLES.filter(({ columns }) => Object.hasOwn(columns, 'sealed'))
  assert.ok(sealed.length > 1)
  for (const { name } of sealed)
    for (const file of ['src/db/sqlite/reseal-rows.ts', 'src/db/postgres/reseal-rows.ts'])
      assert.ok(read(file).includes(`UPDATE ${name} SET sealed`), `${file} does not seal ${name}.sealed anew`)
})

test('the newest schema of each database is kept, for later versions to upgrade', () => {
  for (const [file, how] of [
    [`sqlite-schemas/schema-${SCHEMA_VERSION}`, 'keep-sqlite-schema.ts'],
    [`postgres-schemas/step-${SCHEMA.length}.sql`, 'keep-postgres-schema.ts'],
  ] as const)
    assert.ok(
      existsSync(path.join(root, 'test/fixtures', file)),
      `run npm exec -- node test/support/${how}, once the step of the schema is finished`,
    )
})

test('each table that is moved can be filled by test/support/full-database.ts', (t) => {
  const connection = new Connection(':memory:')
  t.after(() => connection.close())
  migrate(connection, ':memory:')
  fillTables(connection, 'a secret')
})

test('the newest step of the schema of SQLite can be taken back', () => {
  assert.match(UNDO_NEWEST_STEP, new RegExp(`PRAGMA user_version = ${SCHEMA_VERSION - 1}$`))
})
