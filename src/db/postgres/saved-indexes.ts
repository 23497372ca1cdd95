import type { PostgresDatabase } from './database.ts'
import type { PublishedRun } from './index-changes.ts'

/** A finished copy of an index: which run it is of, and its file. `blob`: its name in the bucket; null where it is in the database. */
export type SavedIndex = {
  id: number
  indexId: number
  blob: string | null
  seq: number
  token: string
  bytes: number
  checksum: number
}

/** A copy that is no more, or never was whole. */
export type LeftCopy = Pick<SavedIndex, 'id' | 'blob'>

/** How long one part may take to be written or read, in milliseconds: it is some MB. */
const PART_MS = 60_000

/** After so long a copy that is not whole is one of a member that has ended, in seconds. */
const ABANDONED_S = 3600

/** So many parts one transaction deletes. */
const PARTS_A_STEP = 20

/** Finished copies of indexes in the database, see `schema/saved-indexes.ts`. `format`: the version of the schema of the copies. */
export type SavedIndexes = {
  /** The newest copy of an index from which its publications can be followed. */
  newest(indexId: number): Promise<SavedIndex | undefined>
  /** Whether so many chunks, or more, were staged or removed since a copy. */
  hasChanged(saved: SavedIndex, chunks: number): Promise<boolean>
  /** How many seconds ago the last copy of an index was begun; undefined without one. */
  age(indexId: number): Promise<number | undefined>
  /** Begins a copy; undefined while another member makes one. */
  begin(indexId: number, blob: string | null): Promise<number | undefined>
  /** A copy is whole. Returns whether it is used: not where it took too long, or the run is not in the database. */
  complete(id: number, made: { run: PublishedRun; bytes: number; checksum: number }): Promise<boolean>
  writePart(id: number, part: number, content: Uint8Array): Promise<void>
  /** Undefined where it is not there. */
  readPart(id: number, part: number): Promise<Uint8Array | undefined>
  /** Copies that are older than the newest of their index, have no index, or were left by a member that has ended. */
  left(): Promise<LeftCopy[]>
  /** The names of all copies in the bucket. */
  blobs(): Promise<Set<string>>
  /** Deletes a copy and its parts. */
  remove(id: number): Promise<void>
}

export function savedIndexes(database: PostgresDatabase, format: number): SavedIndexes {
  const { reader, writer } = database
  return {
    newest: (indexId) =>
      reader.get<SavedIndex>(
        `SELECT saved.id, saved.index_id AS "indexId", blob, run AS seq, saved.token, bytes, checksum
         FROM saved_indexes AS saved JOIN indexes ON indexes.id = saved.index_id
           JOIN runs ON runs.seq = run AND runs.token = saved.token AND runs.state = 'published'
         WHERE saved.index_id = $1 AND format = $2 AND bytes IS NOT NULL AND run >= followed_from
         ORDER BY run DESC, saved.id DESC LIMIT 1`,
        indexId,
        format,
      ),

    async hasChanged({ indexId, seq }, chunks) {
      const row = await reader.get<{ changed: number }>(
        `SELECT (SELECT count(*) FROM (SELECT 1 FROM chunks WHERE own IN (0, $1) AND index_id = $1 AND born > $2 LIMIT $3) AS staged)
           + (SELECT coalesce(sum(cardinality(removed)), 0) FROM runs JOIN run_changes ON run = seq
              WHERE index_id = $1 AND seq > $2) AS changed`,
        indexId,
        seq,
        chunks,
      )
      return row!.changed >= chunks
    },

    async age(indexId) {
      const row = await reader.get<{ age: number | null }>(
        `SELECT extract(epoch FROM clock_timestamp() - max(begun_at))::float8 AS age FROM saved_indexes
         WHERE index_id = $1 AND format = $2`,
        indexId,
        format,
      )
      return row?.age ?? undefined
    },

    async begin(indexId, blob) {
      const row = await writer.get<{ id: number }>(
        `INSERT INTO saved_indexes (index_id, format, blob) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING id`,
        indexId,
        format,
        blob,
      )
      return row?.id
    },

    complete: async (id, { run, bytes, checksum }) =>
      (await writer.run(
        `UPDATE saved_indexes SET run = $2, token = $3, bytes = $4, checksum = $5 WHERE id = $1
           AND EXISTS (SELECT 1 FROM runs WHERE seq = $2 AND runs.token = $3 AND runs.index_id = saved_indexes.index_id)`,
        ...[id, run.seq, run.token, bytes, checksum],
      )) > 0,

    writePart: (id, part, content) =>
      database.transaction(
        async (sql) => {
          await sql.run(
            'INSERT INTO saved_parts (saved_id, part, content) VALUES ($1, $2, $3)',
            id,
            part,
            content,
          )
        },
        { limitMs: PART_MS },
      ),

    readPart: (id, part) =>
      database.transaction(
        (sql) =>
          sql.copyOut(
            `SELECT content FROM saved_parts WHERE saved_id = ${Number(id)} AND part = ${Number(part)}`,
          ),
        { limitMs: PART_MS, repeatable: true },
      ),

    left: () =>
      reader.all<LeftCopy>(
        `SELECT id, blob FROM saved_indexes AS saved
         WHERE NOT EXISTS (SELECT 1 FROM indexes WHERE indexes.id = saved.index_id AND state = 'live')
           OR bytes IS NOT NULL AND run IS NULL
           OR bytes IS NULL AND begun_at < clock_timestamp() - make_interval(secs => $1)
           OR bytes IS NOT NULL AND EXISTS (SELECT 1 FROM saved_indexes AS later WHERE later.index_id = saved.index_id
             AND later.format >= saved.format AND later.bytes IS NOT NULL AND later.id > saved.id)
         ORDER BY id`,
        ABANDONED_S,
      ),

    async blobs() {
      const rows = await reader.all<{ blob: string }>('SELECT blob FROM saved_indexes WHERE blob IS NOT NULL')
      return new Set(rows.map(({ blob }) => blob))
    },

    async remove(id) {
      // Nobody begins to read it any more. Its row goes last: until then a sweep finds what is left.
      await writer.run('UPDATE saved_indexes SET run = NULL WHERE id = $1', id)
      for (let more = true; more; )
        more =
          (await database.transaction(
            (sql) =>
              sql.run(
                `DELETE FROM saved_parts WHERE saved_id = $1
                   AND part IN (SELECT part FROM saved_parts WHERE saved_id = $1 ORDER BY part LIMIT $2)`,
                id,
                PARTS_A_STEP,
              ),
            { limitMs: PART_MS },
          )) > 0
      await writer.run('DELETE FROM saved_indexes WHERE id = $1', id)
    },
  }
}
