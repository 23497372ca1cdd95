import { ALL_CONVERSATIONS } from '../../documents/conversation.ts'
import type { SourceRange } from '../../contract/conversation.ts'
import type { SqlCondition, SqlDialect } from '../sql/dialect.ts'
import type { SqlSession } from '../sql/session.ts'

/** The condition that readers see a chunk: its run is published, and no published run has removed it. */
export const VISIBLE = `died IS NULL AND born NOT IN (SELECT seq FROM runs WHERE state <> 'published')`

/** The condition of a range of sources; without one, of the sources that belong to no conversation. */
export const namesWithin = (range: SourceRange | undefined): SqlCondition =>
  range
    ? { sql: 'name >= ? AND name < ?', values: [range.from, range.before] }
    : {
        sql: 'NOT (name >= ? AND name < ?)',
        values: [ALL_CONVERSATIONS.from, ALL_CONVERSATIONS.before],
      }

/** In PostgreSQL chunks have the id of their index; in SQLite, where rows are read at once, their source is looked up. */
const OF_INDEX: Readonly<Record<SqlDialect['name'], (chunks: string) => string>> = {
  sqlite: (chunks) =>
    `EXISTS (SELECT 1 FROM sources WHERE sources.id = ${chunks}.source_id AND sources.index_id = ?)`,
  postgres: (chunks) => `${chunks}.index_id = ?`,
}

/** The condition that a chunk is of an index, for chunks that are found by something else. */
export const isOfIndex = ({ dialect }: SqlSession, chunks = 'chunks'): string =>
  OF_INDEX[dialect.name](chunks)
