import type { TestContext } from 'node:test'
import type { FollowedChunk, FollowedIndexes, PublishedRun } from '../../src/db/postgres/index-changes.ts'
import { createReplica, type Replica } from '../../src/stores/replica/replica.ts'
import { hashVector } from './hash-embedder.ts'
import { temporaryDatabase } from './store.ts'

type Moved = { id: number; start: number; end: number }
type OriginRun = PublishedRun & {
  index: number
  staged: FollowedChunk[]
  removed: number[]
  moved: Moved[]
}
type Changes = { texts?: string[]; removed?: number[]; moved?: Moved[]; vectors?: boolean }

/** Of the vectors of {@link Origin}. */
export const DIMENSIONS = 4

/** Indexes as the followed database has them, in memory: what a replica makes of them does not depend on who stores them. */
export class Origin {
  readonly runs: OriginRun[] = []
  readonly live = new Set<number>()
  followedFrom = 0
  /** The names of the reads. */
  readonly reads: string[] = []
  /** Called before each read: it may wait, or throw. */
  before: (read: string) => unknown = () => {}
  #ids = 0

  /** Publishes a run. Answers the ids of the chunks that it staged, each of which has the range of its text. */
  publish(index: number, { texts = [], removed = [], moved = [], vectors = true }: Changes): number[] {
    const seq = this.runs.length + 1
    const staged = texts.map((text): FollowedChunk => {
      const vector = vectors ? new Uint8Array(hashVector(text, DIMENSIONS).buffer) : null
      return {
        ...{ id: ++this.#ids, born: seq, source: 's', hash: text, content: text, vector },
        ...{ metadata: '{}', metadataHash: 'm', start: 0, end: text.length },
      }
    })
    this.runs.push({ seq, token: `token ${seq}`, index, staged, removed, moved })
    this.live.add(index)
    return staged.map(({ id }) => id)
  }

  /** Makes an index without a publication, as the first run of a namespace does. */
  open(index: number): void {
    this.live.add(index)
  }

  readonly indexes: FollowedIndexes = {
    state: async (index) => {
      await this.#note('state')
      const last = this.#of(index).at(-1)
      if (!last && !this.live.has(index)) return undefined
      return {
        ...{ embedder: 'e', isLive: this.live.has(index), chunks: this.#seen(index).length },
        ...{ followedFrom: this.followedFrom, run: last && { seq: last.seq, token: last.token } },
      }
    },
    liveAmong: async (indexes) => {
      await this.#note('live')
      return new Set(indexes.filter((index) => this.live.has(index)))
    },
    publishedAfter: async (held) => {
      const counts = held.map(({ indexId, run }) => this.#of(indexId).filter(({ seq }) => seq > run).length)
      return counts.reduce((sum, count) => sum + count, 0)
    },
    publishedFrom: async (index, from, limit) => {
      await this.#note('runs')
      return this.#of(index)
        .filter(({ seq }) => seq >= from)
        .slice(0, limit)
    },
    chunks: async ({ indexId, after, limit, ...which }) => {
      await this.#note('chunks')
      const all =
        'run' in which
          ? this.#of(indexId).flatMap(({ seq, staged }) => (seq === which.run ? staged : []))
          : this.#seen(indexId).filter(({ born }) => born <= which.upTo)
      return all
        .filter(({ born, id }) => born > after.born || (born === after.born && id > after.id))
        .slice(0, limit)
    },
    changes: async (run) =>
      this.runs
        .filter(({ seq }) => seq === run)
        .map(({ removed, moved }) => ({
          removed,
          moved: moved.map(({ id }) => id),
          starts: moved.map(({ start }) => start),
          ends: moved.map(({ end }) => end),
        })),
  }

  async #note(read: string): Promise<void> {
    this.reads.push(read)
    await this.before(read)
  }

  #of(index: number): OriginRun[] {
    return this.runs.filter((run) => run.index === index)
  }

  #seen(index: number): FollowedChunk[] {
    const removed = new Set(this.runs.flatMap((run) => run.removed))
    return this.#of(index).flatMap(({ staged }) => staged.filter(({ id }) => !removed.has(id)))
  }
}

/** A replica of an {@link Origin}, with a database of its own. */
export function newReplica(t: TestContext) {
  let replica: Replica | undefined
  // Before its database is closed.
  t.after(() => replica?.close())
  const local = temporaryDatabase(t)
  const origin = new Origin()
  const copied: { index: number; chunks: number; ms: number }[] = []
  replica = createReplica(origin.indexes, local, { noteCopied: (facts) => copied.push(facts) })
  return {
    ...{ replica, local, origin, copied },
    /** What readers of an index see here: text, id of the followed chunk, range. */
    async seen(index: number) {
      const collection = Number(await replica.collection(index))
      const rows = local.reader.all<{
        content: string
        point: string
        from: number | null
        to: number | null
      }>(
        `SELECT content, point, text_start AS "from", text_end AS "to" FROM chunks
         JOIN passages ON passages.id = passage_id WHERE index_id = ? AND died IS NULL ORDER BY chunks.id`,
        collection,
      )
      return rows.map(({ content, point, from, to }) => [content, Number(point), from, to])
    },
    /** How many rows a table of the replica has. */
    count: (table: string) => local.reader.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)!.n,
  }
}
