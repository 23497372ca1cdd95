import { setImmediate } from 'node:timers/promises'
import type { Connection } from '../../db/sqlite/connection.ts'
import {
  type ChunkSpan,
  lastPublished,
  nextPublished,
  type PublishedRun,
} from '../../db/sqlite/index-changes.ts'

/** How many rows one step reads, or over how many ids it goes, before others have their turn: a few milliseconds. */
const STEP = 1000

/**
 * Something in memory that shows an index as one published run has left it: loaded when it is asked for the first time,
 * then led along with each publication, in small steps.
 */
export abstract class Follower {
  protected readonly reader: Connection
  protected readonly indexId: number
  #run: number | undefined
  #following: Promise<void> | undefined

  constructor(reader: Connection, indexId: number) {
    this.reader = reader
    this.indexId = indexId
  }

  /** The run whose state is shown; undefined until one is. What was read of two runs, or on the way, may be anything. */
  get run(): number | undefined {
    return this.#run
  }

  /** Whether a run is the last that was published, and shown; ask inside the snapshot that reads the rest. */
  shows(run: number | undefined): boolean {
    return this.#run === run && run === lastPublished(this.reader, this.indexId)
  }

  /** Whoever asks meanwhile shares one way forward. */
  follow(): Promise<void> {
    this.#following ??= this.#advance().finally(() => {
      this.#following = undefined
    })
    return this.#following
  }

  /** Takes in what readers see, `run` being the last that was published; of later ones it may see some already. */
  protected abstract load(run: number): Promise<void>
  /** Takes in what a run brought, and lets go of what it removed. */
  protected abstract take(run: PublishedRun): Promise<void>

  async #advance(): Promise<void> {
    if (this.#run === undefined) {
      const start = lastPublished(this.reader, this.indexId)
      await this.load(start)
      this.#run = start
    }
    for (let next = this.#next(); next; next = this.#next()) {
      await this.take(next)
      this.#run = next.seq
    }
  }

  #next() {
    return nextPublished(this.reader, this.indexId, this.#run!)
  }
}

/** Goes over a range of ids in steps, whoever has them. */
export async function inSpans(
  { first, last }: { first: number; last: number },
  take: (span: ChunkSpan) => void,
): Promise<void> {
  for (let after = first; after < last; after += STEP) {
    take({ after, upTo: Math.min(last, after + STEP) })
    await setImmediate()
  }
}

/** Reads rows in steps, `after` being the key of the last one that was read, until a step brings fewer than it may. */
export async function inSteps<Row>(
  first: number,
  read: (after: number, limit: number) => Row[],
  keyOf: (row: Row) => number,
  take: (row: Row) => void,
): Promise<void> {
  for (let after = first; ; ) {
    const rows = read(after, STEP)
    for (const row of rows) take(row)
    if (rows.length < STEP) return
    after = keyOf(rows.at(-1)!)
    await setImmediate()
  }
}
