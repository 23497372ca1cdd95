import type { RequestWindows } from '../../contract/request-windows.ts'
import type { PostgresDatabase } from './database.ts'

/** How many past windows one count removes. */
const CLEARED = 20

/** Counts the requests that reach any member. The table is not logged: after a crash of the server all windows begin again. */
export const postgresRequestWindows = ({ writer }: PostgresDatabase): RequestWindows => ({
  async count(key, max, windowMs) {
    const row = (await writer.get<{ used: number; resetMs: number }>(
      `WITH past AS (
         DELETE FROM request_windows WHERE key IN (
           SELECT key FROM request_windows WHERE ends_at <= clock_timestamp() AND key <> $1 LIMIT ${CLEARED}
           FOR UPDATE SKIP LOCKED))
       INSERT INTO request_windows AS stored (key, ends_at, used)
       VALUES ($1, clock_timestamp() + $3 * interval '1 millisecond', 1)
       ON CONFLICT (key) DO UPDATE SET
         used = CASE WHEN stored.ends_at <= clock_timestamp() THEN 1 ELSE least(stored.used + 1, $2 + 1) END,
         ends_at = CASE WHEN stored.ends_at <= clock_timestamp() THEN excluded.ends_at ELSE stored.ends_at END
       RETURNING used, (extract(epoch FROM ends_at - clock_timestamp()) * 1000)::double precision AS "resetMs"`,
      key,
      max,
      windowMs,
    ))!
    return { used: Math.min(row.used, max), isRefused: row.used > max, resetMs: Math.max(0, row.resetMs) }
  },
})
