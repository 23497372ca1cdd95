import { Connection } from '../../src/db/sqlite/connection.ts'

const ROWS = 100_000

/**
 * Adds a table to a database in WAL mode whose check takes minutes: SQLite evaluates the constraint of each row again,
 * some milliseconds each. `paddingBytes` make the file larger.
 */
export function slowDownCheck(file: string, paddingBytes = 0): void {
  const connection = new Connection(file)
  // The expression depends on the row, otherwise it is evaluated once.
  connection.exec(`
    CREATE TABLE slow (n INTEGER PRIMARY KEY, CHECK (length(hex(zeroblob(4000000 + n))) > 0));
    CREATE TABLE padding (content BLOB);
    PRAGMA ignore_check_constraints = ON`)
  connection.run(
    `INSERT INTO slow WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers LIMIT ${ROWS}) SELECT n FROM numbers`,
  )
  if (paddingBytes > 0) connection.run('INSERT INTO padding VALUES (zeroblob(?))', paddingBytes)
  connection.close()
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
