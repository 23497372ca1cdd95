import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Connection } from './connection.ts'
import { FIRST_VERSION, migrate, SCHEMA_VERSION, schemaOf, schemaVersion } from './migrations.ts'

/** A connection to a database in memory that tells the version after each of its transactions. */
function watched(): { connection: Connection; versions: number[] } {
  const connection = new Connection(':memory:')
  const versions: number[] = []
  const transaction = connection.transaction.bind(connection)
  connection.transaction = (work, begin) => {
    const result = transaction(work, begin)
    versions.push(schemaVersion(connection))
    return result
  }
  return { connection, versions }
}

test('migrate() makes a new database at once, so that no other process sees one that is half made', () => {
  const { connection, versions } = watched()
  migrate(connection, 'new.db')
  assert.deepEqual(versions, [SCHEMA_VERSION])
})

test('migrate() brings an earlier database to each version after its own', () => {
  const { connection, versions } = watched()
  connection.exec(`${schemaOf(FIRST_VERSION)}; PRAGMA user_version = ${FIRST_VERSION}`)
  migrate(connection, 'earlier.db')
  assert.deepEqual(
    versions,
    Array.from({ length: SCHEMA_VERSION - FIRST_VERSION }, (_, at) => FIRST_VERSION + 1 + at),
  )
})
