import type { StoreRun } from '../contract/chunk-store.ts'
import type { NewChunk } from '../contract/ledger.ts'
import type { Embedder } from '../contract/embedder.ts'
import { SluiceError } from '../kit/errors.ts'

/** A chunk that has to be written, with its text in any case. */
export type StageableChunk = NewChunk & { text: string }

/** A text on its way, the chunks that wait for its vector, and the vector once it is there. */
type Pending = { text: string; chunks: NewChunk[]; vector?: Float32Array }

/** Where chunks are written. */
export type StagePlace = Pick<StoreRun, 'dimensions' | 'stage'>

type Staged = { chunk: NewChunk; vector?: Float32Array }

/** How much may wait here before whoever cuts chunks has to wait too. */
const ROOM = { chunks: 4000, characters: 8_000_000 }

/** How many chunks one write carries: the text index works best on large ones; a tenth of a second of its thread. */
const WRITE_CHUNKS = 1024

/** How many writes are on their way at once: one at work, one ready. */
const WRITES_AT_ONCE = 2

export type StagerProgress = { embedded: number; written: number }

/**
 * Embeds what is new and writes what is to be written, many chunks at a time, whichever source they come from. Calls
 * are filled to the embedder's limits while it is busy and sent at once while it is idle. The first failure ends it:
 * every later call throws it.
 */
export class Stager {
  readonly #place: StagePlace
  readonly #namespace: string
  readonly #embedder: Embedder
  readonly #signal: AbortSignal
  readonly #progress: (progress: StagerProgress) => void
  readonly #written: (chunks: readonly NewChunk[]) => void
  readonly #note: (reason: string) => void
  readonly #toEmbed: Pending[] = []
  /** By fingerprint: texts that have no vector in the store yet, until it is written. */
  readonly #onTheWay = new Map<string, Pending>()
  #toWrite: Staged[] = []
  #embeddings = 0
  #writes = 0
  #held = { chunks: 0, characters: 0 }
  #counts: StagerProgress = { embedded: 0, written: 0 }
  #failure: { error: unknown } | undefined
  #changed = Promise.withResolvers<void>()

  constructor(options: {
    place: StagePlace
    namespace: string
    embedder: Embedder
    signal: AbortSignal
    progress: (progress: StagerProgress) => void
    /** Told of chunks that a look-up in the store finds from now on. */
    written?: (chunks: readonly NewChunk[]) => void
    /** Told what the embedder did to a text so that its model takes it. */
    note?: (reason: string) => void
  }) {
    this.#place = options.place
    this.#namespace = options.namespace
    this.#embedder = options.embedder
    this.#signal = options.signal
    this.#progress = options.progress
    this.#written = options.written ?? (() => {})
    this.#note = options.note ?? (() => {})
  }

  /** Waits while there is no room for more. */
  async room(): Promise<void> {
    while (this.#held.chunks >= ROOM.chunks || this.#held.characters >= ROOM.characters) await this.#wait()
    this.#throwFailure()
  }

  /**
   * Takes a chunk in. `embedded`: the store has a vector for its text. Whoever asks the store waits for room before, not
   * between: a text that is written meanwhile would be embedded once more.
   */
  add(chunk: StageableChunk, embedded: boolean): void {
    this.#held.chunks++
    this.#held.characters += chunk.text.length
    if (embedded) {
      const { text: _, ...known } = chunk
      this.#held.characters -= chunk.text.length
      this.#toWrite.push({ chunk: known })
    } else {
      const pending = this.#onTheWay.get(chunk.hash)
      if (pending?.vector) this.#toWrite.push({ chunk, vector: pending.vector })
      else if (pending) pending.chunks.push(chunk)
      else {
        const first = { text: chunk.text, chunks: [chunk] }
        this.#onTheWay.set(chunk.hash, first)
        this.#toEmbed.push(first)
      }
    }
    this.#pump()
  }

  /** Waits until everything taken in is written. */
  async flush(): Promise<void> {
    while (this.#held.chunks > 0 || this.#writes > 0) {
      this.#pump(true)
      await this.#wait()
    }
    this.#throwFailure()
  }

  /**
   * Gives up: nothing more is embedded. Resolves when nothing is under way any more and what was embedded is written,
   * so that a retry need not embed it again.
   */
  async stop(): Promise<void> {
    this.#failure ??= { error: new SluiceError('cancelled') }
    while (this.#embeddings > 0 || this.#writes > 0) await this.#changed.promise
  }

  #throwFailure(): void {
    if (this.#failure) throw this.#failure.error
    if (this.#signal.aborted) throw new SluiceError('cancelled')
  }

  /** Resolves at the next change. @throws the failure before it */
  async #wait(): Promise<void> {
    this.#throwFailure()
    await this.#changed.promise
  }

  #notify(): void {
    const before = this.#changed
    this.#changed = Promise.withResolvers()
    before.resolve()
  }

  /** Starts what can be started. A part-filled call goes out only when nothing of its kind is under way. */
  #pump(everything = false): void {
    const { concurrency, limits } = this.#embedder
    const over = this.#failure !== undefined || this.#signal.aborted
    while (!over && this.#toEmbed.length > 0 && this.#embeddings < concurrency) {
      if (this.#embeddings > 0 && !everything && this.#toEmbed.length < limits.texts) break
      this.#start('embed', this.#embed(takeBatch(this.#toEmbed, limits)))
    }
    while (this.#toWrite.length > 0 && this.#writes < WRITES_AT_ONCE) {
      if (this.#writes > 0 && this.#toWrite.length < WRITE_CHUNKS) break
      this.#start('write', this.#write(this.#toWrite.splice(0, WRITE_CHUNKS)))
    }
  }

  #start(kind: 'embed' | 'write', work: Promise<void>): void {
    if (kind === 'embed') this.#embeddings++
    else this.#writes++
    work
      .catch((error: unknown) => {
        this.#failure ??= { error }
      })
      .finally(() => {
        if (kind === 'embed') this.#embeddings--
        else this.#writes--
        this.#pump()
        this.#notify()
      })
  }

  async #embed(batch: Pending[]): Promise<void> {
    const vectors = await this.#embedder.embed(
      batch.map((pending) => pending.text),
      { signal: this.#signal, note: this.#note },
    )
    this.#check(vectors, batch.length)
    for (const [i, pending] of batch.entries()) {
      const vector = vectors[i]!
      pending.vector = vector
      for (const chunk of pending.chunks.splice(0)) this.#toWrite.push({ chunk, vector })
    }
    this.#counts.embedded += batch.length
    this.#progress(this.#counts)
  }

  #check(vectors: Float32Array[], wanted: number): void {
    const refuse = (reason: string) =>
      new SluiceError('provider_failed', { provider: this.#embedder.id, reason, stage: 'embed' })
    if (vectors.length !== wanted) throw refuse(`it gave ${vectors.length} vectors for ${wanted} texts`)
    const want = this.#place.dimensions ?? this.#embedder.dimensions ?? vectors[0]!.length
    for (const vector of vectors) {
      const got = vector.length
      const namespace = this.#namespace
      if (got !== want) throw new SluiceError('dimension_mismatch', { got, want, namespace, stage: 'embed' })
      // Once stored it would be in the way of every query.
      if (!vector.every(Number.isFinite)) throw refuse('a vector holds a number that is not finite')
    }
  }

  async #write(batch: Staged[]): Promise<void> {
    const brought = batch.flatMap(({ vector }) => vector ?? [])
    const dimensions = brought[0]?.length ?? 0
    const vectors = new Float32Array(brought.length * dimensions)
    for (const [i, vector] of brought.entries()) vectors.set(vector, i * dimensions)
    const chunks = batch.map((staged) => staged.chunk)
    await this.#place.stage(chunks, vectors, dimensions)
    this.#written(chunks)
    for (const { chunk, vector } of batch) if (vector) this.#onTheWay.delete(chunk.hash)
    this.#held.chunks -= chunks.length
    for (const chunk of chunks) this.#held.characters -= chunk.text?.length ?? 0
    this.#counts.written += batch.length
    this.#progress(this.#counts)
  }
}

/** Takes texts from the front, as many as one call may carry, one at the least. */
function takeBatch(queue: Pending[], limits: Embedder['limits']): Pending[] {
  let bytes = 0
  let count = 0
  while (count < queue.length && count < limits.texts) {
    bytes += Buffer.byteLength(queue[count]!.text)
    if (count > 0 && bytes > limits.bytes) break
    count++
  }
  return queue.splice(0, count)
}
