import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { MOVED_TABLES, NOT_MOVED, typesOf } from '../db/move/moved-tables.ts'
import { SCHEMA } from '../db/postgres/schema/schema.ts'
import { REPOSITORY_WRITES } from '../db/repositories/writes.ts'
import { Connection } from '../db/sqlite/connection.ts'
import { migrate } from '../db/sqlite/migrations.ts'
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
})
