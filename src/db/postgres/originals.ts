import type { OriginalStore } from '../../contract/original-store.ts'
import type { PostgresDatabase } from './database.ts'

/** Kept files that `sources` and `failed_files` name. Triggers of the schema note ids that a row does not name any more. */
export function postgresOriginals({ reader, writer }: PostgresDatabase): OriginalStore {
  const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id)
  return {
    async bytes() {
      const row = await reader.get<{ n: number }>(
        `SELECT ((SELECT coalesce(sum(bytes), 0) FROM sources WHERE original IS NOT NULL)
           + (SELECT coalesce(sum(bytes), 0) FROM failed_files WHERE original IS NOT NULL))::bigint AS n`,
      )
      return row!.n
    },
    async gone() {
      const rows = await reader.all<{ id: string }>(
        `SELECT id FROM gone_originals
         WHERE NOT EXISTS (SELECT 1 FROM sources WHERE original = gone_originals.id)
           AND NOT EXISTS (SELECT 1 FROM failed_files WHERE original = gone_originals.id) LIMIT 1000`,
      )
      return idsOf(rows)
    },
    async forget(ids) {
      await writer.run('DELETE FROM gone_originals WHERE id = ANY($1)', ids)
    },
    async named(ids) {
      const rows = await reader.all<{ id: string }>(
        `SELECT original AS id FROM sources WHERE original = ANY($1)
         UNION SELECT original FROM failed_files WHERE original = ANY($1)`,
        ids,
      )
      return new Set(idsOf(rows))
    },
  }
}
