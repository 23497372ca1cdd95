import {
  backup,
  DatabaseSync,
  type SQLInputValue,
  type SQLOutputValue,
  type StatementSync,
} from 'node:sqlite'
import { toSqlite } from '../sql/placeholders.ts'

export type Row = Record<string, SQLOutputValue>

/** A database connection that remembers its prepared statements; SQL text is the key. */
export class Connection {
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  #openSnapshots = 0

  /** @param options `lenient` reads a damaged file as far as it goes: one whose end is missing, or where a table has no sound description */
  constructor(
    file: string,
    { readOnly = false, lenient = false }: { readOnly?: boolean; lenient?: boolean } = {},
  ) {
    this.#database = new DatabaseSync(file, { readOnly, timeout: 10_000, defensive: !lenient })
    if (lenient) this.#database.exec('PRAGMA writable_schema = ON')
    this.#database.exec('PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16000')
  }

  /** A statement, prepared once per connection; `IN (?)` takes a list as JSON. */
  prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql)
    if (!statement) {
      statement = this.#database.prepare(toSqlite(sql))
      this.#statements.set(sql, statement)
    }
    return statement
  }

  /** A statement that is not kept. One that has failed reports its failure once more when it is used again. */
  prepareAnew(sql: string): StatementSync {
    return this.#database.prepare(sql)
  }

  all<T extends Row = Row>(sql: string, ...values: SQLInputValue[]): T[] {
    return this.prepare(sql).all(...values) as T[]
  }

  /**
   * The same with rows as lists of columns, which takes a fifth less time for very many rows. The statement keeps this
   * form: its SQL text must not be used with `all` or `get`.
   */
  lists(sql: string, ...values: SQLInputValue[]): SQLOutputValue[][] {
    const statement = this.prepare(sql)
    statement.setReturnArrays(true)
    return statement.all(...values) as unknown as SQLOutputValue[][]
  }

  get<T extends Row = Row>(sql: string, ...values: SQLInputValue[]): T | undefined {
    return this.prepare(sql).get(...values) as T | undefined
  }

  /** Runs a statement; returns how many rows it changed. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.prepare(sql).run(...values).changes)
  }

  /** Runs SQL text that takes no values, several statements too. */
  exec(sql: string): void {
    this.#database.exec(sql)
  }

  /** Runs `work` in a transaction, which is rolled back when it throws. `work` must not await. */
  transaction<T>(work: () => T, begin: 'BEGIN' | 'BEGIN IMMEDIATE' = 'BEGIN IMMEDIATE'): T {
    this.#database.exec(begin)
    try {
      const result = work()
      this.#database.exec('COMMIT')
      return result
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK')
      throw error
    }
  }

  /** The same with work that awaits its own statements, which are done at once, and nothing else. */
  async awaitedTransaction<T>(work: () => T | Promise<T>): Promise<T> {
    this.#database.exec('BEGIN IMMEDIATE')
    try {
      const result = await work()
      this.#database.exec('COMMIT')
      return result
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK')
      throw error
    }
  }

  /** One consistent view of the database for everything that `work` reads; it must not await. */
  snapshot<T>(work: () => T): T {
    return this.#openSnapshots > 0 ? work() : this.transaction(work, 'BEGIN')
  }

  /**
   * The same with work that awaits its own statements and nothing else. Work that begins before it has ended sees what it sees: no
   * answer of the writing thread can arrive between them, so nobody misses a change of his own.
   */
  async awaitedSnapshot<T>(work: () => Promise<T>): Promise<T> {
    if (this.#openSnapshots++ === 0) this.#database.exec('BEGIN')
    try {
      return await work()
    } finally {
      if (--this.#openSnapshots === 0 && this.#database.isTransaction) this.#database.exec('COMMIT')
    }
  }

  /** Copies the database into a file, page by page, on another thread; in a transaction it is the state of its snapshot. */
  async copyTo(file: string): Promise<void> {
    await backup(this.#database, file, { rate: 1000 })
  }

  close(): void {
    this.#statements.clear()
    this.#database.close()
  }
}
