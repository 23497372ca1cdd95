import type { Connection } from './connection.ts'

/**
 * The keyword side of an index: an FTS5 table per index, so that each has word statistics of its own. It holds no
 * text ("contentless"): a row's id is its passage's, and the passage has the text.
 */
export const textIndex = {
  create(connection: Connection, indexId: number): void {
    connection.exec(
      `CREATE VIRTUAL TABLE ${table(indexId)} USING fts5(
         content, content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2')`,
    )
  },

  drop(connection: Connection, indexId: number): void {
    connection.exec(`DROP TABLE IF EXISTS ${table(indexId)}`)
  },

  /** Adds passages, one statement for all of them. */
  adder(connection: Connection, indexId: number): (passageId: number, content: string) => void {
    const insert = connection.prepare(`INSERT INTO ${table(indexId)} (rowid, content) VALUES (?, ?)`)
    return (passageId, content) => void insert.run(passageId, content)
  },

  remove(connection: Connection, indexId: number, passageId: number): void {
    connection.run(`DELETE FROM ${table(indexId)} WHERE rowid = ?`, passageId)
  },

  /**
   * The passages that hold any of the query's words, best first, one after another; `score` is BM25, larger is better.
   * The text of a person is never read as FTS5's query syntax.
   */
  search(connection: Connection, indexId: number, query: string): Iterable<{ id: number; score: number }> {
    const match = anyWord(query)
    if (match === '') return []
    return connection
      .prepare(
        `SELECT rowid AS id, -rank AS score FROM ${table(indexId)} WHERE content MATCH ? ORDER BY rank`,
      )
      .iterate(match) as unknown as Iterable<{ id: number; score: number }>
  },
}

// The id is a number that the database made: nothing of a person's can reach the statement.
const table = (indexId: number) => `text_index_${Math.trunc(indexId)}`

/** The words of a text, each quoted, joined by OR; as many as a long question has, not more. */
function anyWord(query: string): string {
  const words = new Set(query.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [])
  return [...words]
    .slice(0, 64)
    .map((word) => `"${word}"`)
    .join(' OR ')
}
