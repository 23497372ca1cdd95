/** A condition for `WHERE`, and the values of the `?` in it. */
export type SqlCondition = { sql: string; values: (string | number | null)[] }

/** A unique index: its name, and the columns that it has, as `table.column, table.column`. */
export type UniqueIndex = { index: string; columns: string }

/** What the two databases do not write alike. Everything else in a statement of `db/repositories/` means the same in both. */
export type SqlDialect = {
  readonly name: 'sqlite' | 'postgres'
  /** Ends a SELECT whose rows nobody else may change until the end of the transaction; SQLite has one writer. */
  readonly forUpdate: string
  /** The same, where others may do so at the same time, as long as nobody changes the rows. */
  readonly forShare: string
  /** Waits until no other transaction has locked a name, and locks it until the end of this one; undefined with one writer. */
  readonly lockName: string | undefined
  /** How many rows one INSERT takes: a statement costs a round trip, or is quickest when it is the same each time. */
  readonly rowsOfInsert: number
  /** Whether rows have a `checksum`, which finds what a disk has damaged. PostgreSQL has its own, of pages. */
  readonly hasChecksums: boolean
  /** The column `checksum` of a row, by its texts or bytes, where rows have it. */
  checksumOf(...parts: readonly [string | Uint8Array, ...(string | Uint8Array)[]]): { checksum?: number }
  /** What makes the rest of a transaction overwrite deleted values in the file. PostgreSQL keeps old rows until it needs their place. */
  readonly overwriteDeleted: string | undefined
  /** A text that nothing else has, another for each row. */
  readonly randomText: string
  /** The larger of two numbers. */
  greatest(one: string, other: string): string
  /** A column with JSON text, for `->` and `->>` with the name of a member. */
  json(column: string): string
  /** The items of a list of such a column, in a FROM: `value`, and its place as `key`, from 0 or 1. */
  jsonItems(list: string, name: string): string
  /** How many items such a list has. */
  jsonLength(column: string): string
  /** Such a column without some members of its object. */
  jsonWithout(column: string, members: readonly string[]): string
  /** Whether a column contains a text, with each letter in either case. */
  contains(column: string, text: string): SqlCondition
  /** Whether a row was refused because of this index. */
  isDuplicate(error: unknown, unique: UniqueIndex): boolean
}
