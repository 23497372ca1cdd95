import { DatabaseSync } from 'node:sqlite'
import { Connection } from '../../src/db/sqlite/connection.ts'

const ROWS = 100_000

/**
 * Adds a table to a database in WAL mode whose check takes minutes: SQLite computes a column of each row, some milliseconds
 * each. `paddingBytes` make the file larger.
 */
export function slowDownCheck(file: string, paddingBytes = 0): void {
  // Not defensive: the schema is changed.
  const database = new DatabaseSync(file, { defensive: false })
  database.exec(`
    CREATE TABLE slow (n INTEGER PRIMARY KEY, computed INTEGER NOT NULL AS (n));
    CREATE TABLE padding (content BLOB)`)
  database.exec(
    `INSERT INTO slow (n) WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers LIMIT ${ROWS}) SELECT n FROM numbers`,
  )
  // Changed afterwards, since the column is also computed when a row is written.
  database.exec(`
    PRAGMA writable_schema = ON;
    UPDATE sqlite_schema SET sql = replace(sql, '(n))', '(length(hex(zeroblob(4000000 + n)))))') WHERE name = 'slow'`)
  if (paddingBytes > 0) database.exec(`INSERT INTO padding VALUES (zeroblob(${paddingBytes}))`)
  database.close()
}

/** Whether a read of the database is under way, in any process: then the log cannot begin anew. */
export function isBeingRead(file: string): boolean {
  const connection = new Connection(file)
  try {
    connection.run('INSERT INTO padding VALUES (NULL)')
    connection.exec('PRAGMA busy_timeout = 0')
    return connection.get('PRAGMA wal_checkpoint(TRUNCATE)')!.busy === 1
  } finally {
    connection.close()
  }
}
