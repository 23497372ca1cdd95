import { Connection } from './connection.ts'
import { schemaOf, schemaVersion } from './migrations.ts'

/** Tables that SQLite itself makes. */
const OF_SQLITE: readonly string[] = ['sqlite_sequence', 'sqlite_stat1', 'sqlite_stat4']

/**
 * What a database has that its version of the schema does not, and the reverse, in words: a table, view, index or trigger each. A
 * trigger or a view of another hand would run with the first write or read of its table. Empty where the version is not known.
 *
 * @param more SQL of tables that belong to the database besides
 */
export function schemaDifferences(connection: Connection, more = ''): string[] {
  const sql = schemaOf(schemaVersion(connection))
  if (sql === undefined) return []
  const wanted = entriesOf(sql, more)
  const found = entries(connection)
  return [
    ...[...found.keys()].filter((name) => !wanted.has(name)).map((name) => `it has the ${name}`),
    ...[...wanted.keys()].filter((name) => !found.has(name)).map((name) => `it lacks the ${name}`),
    ...[...wanted]
      .filter(([name, made]) => found.has(name) && found.get(name) !== made)
      .map(([name]) => `it has another ${name}`),
  ]
}

function entriesOf(sql: string, more: string): Map<string, string> {
  const empty = new Connection(':memory:')
  try {
    empty.exec(`${sql};${more}`)
    return entries(empty)
  } finally {
    empty.close()
  }
}

/** The statements that made the parts of a schema, by kind and name, without the blanks between their words. */
function entries(connection: Connection): Map<string, string> {
  const rows = connection.all<{ type: string; name: string; sql: string | null }>(
    'SELECT type, name, sql FROM sqlite_schema',
  )
  return new Map(
    rows
      // An index without SQL belongs to a key of its table.
      .filter(({ type, name, sql }) => sql !== null && !(type === 'table' && OF_SQLITE.includes(name)))
      .map(({ type, name, sql }) => [`${type} ${name}`, sql!.replaceAll(/\s+/g, ' ')]),
  )
}
