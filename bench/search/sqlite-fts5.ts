import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type SearchEngine, TOP } from './engine.ts'

/** The text index of SQLite, with English stemming; texts are in the index, the group is a column that is not searched. */
export async function sqliteFts5(folder: string): Promise<SearchEngine> {
  const database = new DatabaseSync(path.join(folder, 'words.db'))
  database.exec(`PRAGMA journal_mode = WAL;
    CREATE VIRTUAL TABLE IF NOT EXISTS rows USING fts5(text, groupNumber UNINDEXED, tokenize = 'porter unicode61')`)
  const insert = database.prepare('INSERT INTO rows (rowid, text, groupNumber) VALUES (?, ?, ?)')
  const found = 'SELECT rowid AS number, text FROM rows WHERE rows MATCH ?'
  const all = database.prepare(`${found} ORDER BY rank LIMIT ${TOP}`)
  const ofGroup = database.prepare(`${found} AND groupNumber = ? ORDER BY rank LIMIT ${TOP}`)
  return {
    async insert(rows) {
      database.exec('BEGIN')
      for (const { number, text, group } of rows) insert.run(number, text, group)
      database.exec('COMMIT')
    },

    async ready() {
      database.exec("INSERT INTO rows (rows) VALUES ('optimize')")
    },

    async search({ text, group }) {
      const words = anyOf(text!)
      const rows = group === undefined ? all.all(words) : ofGroup.all(words, group)
      return rows as { number: number; text: string }[]
    },

    close: async () => database.close(),
  }
}

/** A query for texts with any of the words. */
const anyOf = (question: string): string =>
  question
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean)
    .map((word) => `"${word}"`)
    .join(' OR ')
