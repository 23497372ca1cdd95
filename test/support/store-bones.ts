import { DatabaseSync } from 'node:sqlite'
import type { ChunkStore } from '../../src/contract/chunk-store.ts'
import { COMMON_WORD } from './crash-files.ts'
import { hashVector } from './hash-embedder.ts'
import { textBonesOf } from './text-bones.ts'

/** More than there are. */
const ALL = 10_000

/** What a reader sees by every way of looking: `by…` are all chunks, as texts that say everything about them. */
export type Sight = {
  sources: Record<string, number>
  byMeaning: string[]
  byKeyword: string[]
  count: number
}

export async function sightOf(store: ChunkStore, embedder: string): Promise<Sight> {
  const [near, worded] = await Promise.all([
    store.search({ vector: hashVector('anything'), limit: ALL }),
    store.search({ text: COMMON_WORD, limit: ALL }),
  ])
  const { rows } = await store.sources({ offset: 0, limit: ALL })
  const summaryOf = ({ id, pageContent, metadata }: (typeof near)[number]) =>
    JSON.stringify([id, metadata, pageContent])
  return {
    sources: Object.fromEntries(rows.map(({ source, chunks }) => [source, chunks])),
    byMeaning: near.map(summaryOf).toSorted(),
    byKeyword: worded.map(summaryOf).toSorted(),
    count: await (await store.view(embedder)).count(),
  }
}

/** The rows under what a reader sees, in a form that two stores with the same content share. */
export function bonesOf(file: string) {
  const database = new DatabaseSync(file, { readOnly: true })
  const all = <Row>(sql: string) => database.prepare(sql).all() as Row[]
  const byHash = (sql: string): Record<string, unknown> =>
    Object.fromEntries(all<{ hash: string; value: unknown }>(sql).map(({ hash, value }) => [hash, value]))
  try {
    const hashes = new Map(
      all<{ id: number; hash: string }>('SELECT id, hash FROM passages').map(({ id, hash }) => [id, hash]),
    )
    return {
      faults: [
        ...all<{ integrity_check: string }>('PRAGMA integrity_check').filter(
          (row) => row.integrity_check !== 'ok',
        ),
        ...all('PRAGMA foreign_key_check'),
      ],
      unfinished: all(`SELECT seq, state FROM runs WHERE state <> 'published'`),
      dead: all('SELECT id FROM chunks WHERE died IS NOT NULL'),
      indexes: all('SELECT namespace, dimensions, chunks FROM indexes'),
      files: all('SELECT name, fingerprint, chunks FROM files ORDER BY 1'),
      sources: all('SELECT name FROM sources ORDER BY 1'),
      chunks: all<{ name: string; hash: string; metadata: string }>(
        `SELECT name, passages.hash, metadata FROM chunks JOIN passages ON passages.id = passage_id
         JOIN sources ON sources.id = source_id ORDER BY 1, 2, 3`,
      ),
      passages: byHash('SELECT hash, content AS value FROM passages ORDER BY 1'),
      vectors: byHash(
        'SELECT hash, hex(vector) AS value FROM vectors LEFT JOIN passages ON passages.id = passage_id ORDER BY 1',
      ),
      // Of a passage that is not there any more, the fingerprint is "undefined".
      worded: Object.fromEntries(
        [...textBonesOf(file, 1)].map(([id, terms]) => [`${hashes.get(id)}`, terms] as const).sort(),
      ),
    }
  } finally {
    database.close()
  }
}

/** Fingerprints of the texts that a store holds a vector for, seen or unseen. */
export function heldTexts(file: string): string[] {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const rows = database.prepare('SELECT hash FROM passages JOIN vectors ON passage_id = passages.id').all()
    return rows.map((row) => row.hash as string)
  } finally {
    database.close()
  }
}
