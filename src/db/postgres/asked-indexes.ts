import type { PostgresDatabase } from './database.ts'

/** Which indexes all members are asked for most; a question counts half as much a day later. */
export type AskedIndexes = {
  /** @param questions how many, by index */
  note(questions: ReadonlyMap<number, number>): Promise<void>
  /** The indexes that were asked most, in order. */
  most(count: number): Promise<number[]>
}

/** What a count of an index is worth now. */
const LEFT = `asked * power(0.5, coalesce(extract(epoch FROM clock_timestamp() - asked_at), 0) / 86400)`

export const askedIndexes = ({ reader, writer }: PostgresDatabase): AskedIndexes => ({
  async note(questions) {
    // A row that others change now is left out: nobody waits for a count.
    await writer.run(
      `UPDATE indexes SET asked = ${LEFT} + count, asked_at = clock_timestamp()
       FROM unnest($1::bigint[], $2::bigint[]) AS noted (index_id, count)
       WHERE id IN (SELECT id FROM indexes WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)
         AND id = index_id`,
      [...questions.keys()],
      [...questions.values()],
    )
  },

  async most(count) {
    const rows = await reader.all<{ id: number }>(
      `SELECT id FROM indexes WHERE state = 'live' AND asked > 0 ORDER BY ${LEFT} DESC, id LIMIT $1`,
      count,
    )
    return rows.map(({ id }) => id)
  },
})
