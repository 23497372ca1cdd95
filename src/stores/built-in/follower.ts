import { setImmediate } from 'node:timers/promises'
import type { Connection } from '../../db/sqlite/connection.ts'
import {
  type ChunkSpan,
  lastPublished,
  nextPublished,
  type PublishedRun,
} from '../../db/sqlite/index-changes.ts'
import { ownTurn } from '../../kit/own-turn.ts'

/** How many rows, or ids, one step reads before other work runs: a few milliseconds. */
const STEP = 1000

/**
 * A copy in memory of part of an index, in the state of one published run. It is loaded at its first use, then brought up to
 * date after each publication, in small steps.
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

  /** The last run that the copy includes as a whole; undefined before it is loaded. */
  get run(): number | undefined {
    return this.#run
  }

  /** Whether the copy is in the state of this run, and the run is the last published one. Call it in the snapshot of the search. */
  shows(run: number | undefined): boolean {
    return this.#run === run && run === lastPublished(this.reader, this.indexId)
  }

  /**
   * Brings the copy up to the last publication. Calls at the same time share one update, and go on one after the other: all
   * searches that have waited for a copy to be loaded would block everybody else at once.
   */
  follow(): Promise<void> {
    if (this.#following) return this.#following.then(ownTurn)
    this.#following = this.#advance().finally(() => {
      this.#following = undefined
    })
    return this.#following
  }

  /**
   * Whether the copy is exactly in the state of the last published run: nothing of it is being changed, and nothing of
   * another run is in it.
   */
  get isAtRest(): boolean {
    return this.#following === undefined && this.#run !== undefined && this.shows(this.#run)
  }

  /** Loads what readers see. `run` is the last published one; some chunks of later runs may be there already. */
  protected abstract load(run: number): Promise<void>
  /** Adds what a run staged, and drops what it removed. */
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

/** Goes over a range of chunk ids in steps; some may be of other indexes. */
export async function inSpans(
  { first, last }: { first: number; last: number },
  take: (span: ChunkSpan) => void,
): Promise<void> {
  for (let after = first; after < last; after += STEP) {
    take({ after, upTo: Math.min(last, after + STEP) })
    await setImmediate()
  }
}

/** Reads rows in steps, until a step has fewer rows than its limit. `after`: the key of the last row that was read. */
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

/** Goes over many items in steps. */
export async function inParts<Item>(items: readonly Item[], take: (item: Item) => void): Promise<void> {
  for (let from = 0; from < items.length; from += STEP) {
    for (const item of items.slice(from, from + STEP)) take(item)
    await setImmediate()
  }
}
