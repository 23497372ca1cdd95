import type { Reseal, Resealed } from '../reseal.ts'
import { SECRET_CHECK } from '../secret-check.ts'
import type { PostgresDatabase } from './database.ts'
import type { SqlTransaction } from './session.ts'

/** How long one statement may take, in milliseconds. */
const STATEMENT_MS = 60_000

/** How many requests of jobs are read together. */
const JOBS_A_READ = 100

/** Seals all sealed texts anew, in one transaction. @param check the new text that shows which secret is the right one */
export const resealPostgres = (
  { transaction }: PostgresDatabase,
  reseal: Reseal,
  check: string,
): Promise<Resealed> =>
  transaction(
    async (sql) => {
      const { credentials, unreadable } = await resealCredentials(sql, reseal)
      const jobs = await resealJobs(sql, reseal)
      await resealPlaces(sql, reseal)
      await sql.run(
        'INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
        SECRET_CHECK,
        check,
      )
      return { credentials, jobs, unreadable }
    },
    { limitMs: STATEMENT_MS },
  )

async function resealCredentials(sql: SqlTransaction, reseal: Reseal) {
  const rows = await sql.all<{ id: string; name: string; sealed: string }>(
    'SELECT id, name, sealed FROM credentials ORDER BY name FOR UPDATE',
  )
  const renewed = rows.map((row) => ({ ...row, sealed: reseal(row.sealed) }))
  const readable = renewed.filter((row): row is typeof row & { sealed: string } => row.sealed !== undefined)
  const credentials = await sql.run(
    `UPDATE credentials SET sealed = renewed.sealed FROM unnest($1::text[], $2::text[]) AS renewed (id, sealed)
     WHERE credentials.id = renewed.id`,
    readable.map(({ id }) => id),
    readable.map(({ sealed }) => sealed),
  )
  return {
    credentials,
    unreadable: renewed.filter(({ sealed }) => sealed === undefined).map(({ name }) => name),
  }
}

async function resealPlaces(sql: SqlTransaction, reseal: Reseal): Promise<void> {
  const rows = await sql.all<{ engine: string; place: string; sealed: string }>(
    'SELECT engine, place, sealed FROM engine_places FOR UPDATE',
  )
  for (const { engine, place, sealed } of rows) {
    const renewed = reseal(sealed)
    if (renewed !== undefined)
      await sql.run(
        'UPDATE engine_places SET sealed = $1 WHERE engine = $2 AND place = $3',
        renewed,
        engine,
        place,
      )
  }
}

async function resealJobs(sql: SqlTransaction, reseal: Reseal): Promise<number> {
  let jobs = 0
  for (let after = 0; ; ) {
    const rows = await sql.all<{ seq: number; request: string }>(
      'SELECT seq, request FROM jobs WHERE request IS NOT NULL AND seq > $1 ORDER BY seq LIMIT $2 FOR UPDATE',
      after,
      JOBS_A_READ,
    )
    if (rows.length === 0) return jobs
    after = rows.at(-1)!.seq
    const renewed = rows.flatMap(({ seq, request }) => {
      const sealed = reseal(request)
      return sealed === undefined ? [] : [{ seq, sealed }]
    })
    jobs += await sql.run(
      `UPDATE jobs SET request = renewed.sealed FROM unnest($1::bigint[], $2::text[]) AS renewed (seq, sealed)
       WHERE jobs.seq = renewed.seq`,
      renewed.map(({ seq }) => seq),
      renewed.map(({ sealed }) => sealed),
    )
  }
}
