import type { LedgerChunk, LedgerRun } from '../../contract/ledger.ts'
import type { PublishedRun } from '../../db/postgres/index-changes.ts'

/** What a run of this member stages at once. The vectors are handed over: nobody else uses them afterwards. */
export type StagedBatch = { chunks: LedgerChunk[]; dimensions: number; vectors?: Float32Array | undefined }

/** What a run changes beside what it stages, by the ids of the followed chunks; and how many chunks it has staged. */
export type KeptChanges = {
  stagedCount: number
  removed: readonly number[]
  moved: readonly { id: number; range: { start: number; end: number } }[]
}

type KeptRunOptions = {
  /** The number of the followed run. */
  seq: number
  /** Begins the run here. */
  open(): Promise<LedgerRun>
  /** Publishes it here, as the followed run. */
  publish(writing: LedgerRun, run: PublishedRun, changes: KeptChanges): Promise<void>
}

/**
 * A run of this member as its replica takes it while it is staged, so that it need not be read back. One batch is written here while the
 * next one goes to the database. Whatever fails ends it: the next search then follows the run as one of another member.
 */
export class KeptRun {
  readonly seq: number
  readonly #options: KeptRunOptions
  #writing: LedgerRun | undefined
  #work: Promise<void>
  #staged = 0
  #isOver = false
  readonly #ended = Promise.withResolvers<void>()

  constructor(options: KeptRunOptions) {
    this.seq = options.seq
    this.#options = options
    this.#work = this.#try(async () => {
      this.#writing = await options.open()
    })
  }

  /** Resolves when it is published here, or abandoned. */
  get ended(): Promise<void> {
    return this.#ended.promise
  }

  /** Resolves when the batch before is written. */
  async stage({ chunks, dimensions, vectors }: StagedBatch): Promise<void> {
    await this.#work
    this.#staged += chunks.length
    this.#work = this.#try(() => this.#writing!.stage(chunks, dimensions, vectors))
  }

  /** @param run the followed run; undefined where it is not the one after the run that is here */
  async publish(run: PublishedRun | undefined, changes: KeptChanges): Promise<void> {
    await this.#work
    if (run === undefined || this.#staged !== changes.stagedCount) return this.abandon()
    await this.#try(() => this.#options.publish(this.#writing!, run, changes))
    this.#end()
  }

  /** Readers never see what was staged; a sweep deletes it. */
  async abandon(): Promise<void> {
    await this.#work
    if (!this.#isOver) await this.#giveUp()
    this.#end()
  }

  #end(): void {
    this.#isOver = true
    this.#ended.resolve()
  }

  async #try(work: () => Promise<void>): Promise<void> {
    if (this.#isOver) return
    try {
      await work()
    } catch {
      await this.#giveUp()
      this.#end()
    }
  }

  async #giveUp(): Promise<void> {
    this.#isOver = true
    await this.#writing?.abandon().catch(() => {})
  }
}
