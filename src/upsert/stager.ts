import type { StoreRun } from '../contract/chunk-store.ts'
import type { NewChunk } from '../contract/ledger.ts'
import type { Embedder } from '../contract/embedder.ts'
import { readablePassage } from '../documents/passage.ts'
import type { NodeProgress } from '../contract/job.ts'
import { SluiceError } from '../kit/errors.ts'
import { noteWork } from './node-figures.ts'

/** A chunk to write. Its passage is always present. */
export type StageableChunk = NewChunk & { text: string }

/** A text that is not stored yet, the chunks that wait for its vector, and the vector once it is known. */
type Pending = { text: string; chunks: NewChunk[]; vector?: Float32Array }

/** The part of a run that chunks are written to. */
export type StagePlace = Pick<StoreRun, 'dimensions' | 'stage'>

type Staged = { chunk: NewChunk; vector?: Float32Array }

/** How much may be held here before `room()` waits. */
const ROOM = { chunks: 4000, characters: 8_000_000 }

/** How many chunks one write has: large writes suit the text index. One takes about 0.1 s of the writing thread. */
const WRITE_CHUNKS = 1024

/** How few chunks make a write while more are on the way: each write is a transaction and a segment of the text index. */
const LEAST_CHUNKS = 512

/** After so many milliseconds fewer are written. */
const HOLD_MS = 50

/** How many writes may be under way: one running, one ready. */
const WRITES_AT_ONCE = 2

export type StagerProgress = { embedded: number; written: number }

/**
 * Embeds new texts and writes chunks, in batches across all sources. While the embedder is busy, batches are filled to its
 * limits; while it is idle, they are sent at once. Small writes wait a moment for more chunks. After the first failure every
 * call throws that failure.
 */
export class Stager {
  readonly #place: StagePlace
  readonly #namespace: string
  readonly #embedder: Embedder
  readonly #signal: AbortSignal
  readonly #progress: (progress: StagerProgress) => void
  readonly #written: (chunks: readonly NewChunk[]) => void
  readonly #note: (reason: string) => void
  readonly #embedded: (texts: readonly string[], dimensions: number) => void
  readonly #figures: { embedder: NodeProgress; store: NodeProgress } | undefined
  readonly #toEmbed: Pending[] = []
  /** Texts without a vector in the store, by fingerprint, until it is written. */
  readonly #onTheWay = new Map<string, Pending>()
  #toWrite: Staged[] = []
  #embeddings = 0
  #writes = 0
  #held = { chunks: 0, characters: 0 }
  #counts: StagerProgress = { embedded: 0, written: 0 }
  #failure: { error: unknown } | undefined
  /** Runs while chunks wait for a write with more. */
  #hold: NodeJS.Timeout | undefined
  /** Whether they have waited long enough. */
  #isRipe = false
  #changed = Promise.withResolvers<void>()

  constructor(options: {
    place: StagePlace
    namespace: string
    embedder: Embedder
    signal: AbortSignal
    progress: (progress: StagerProgress) => void
    /** Called with chunks that are written: look-ups in the store find them from now on. */
    written?: (chunks: readonly NewChunk[]) => void
    /** Called with warnings of the embedder, such as a text that was cut. */
    note?: (reason: string) => void
    /** What passes the nodes of embedder and store. */
    figures?: { embedder: NodeProgress; store: NodeProgress }
    /** Called with texts that were embedded. */
    embedded?: (texts: readonly string[], dimensions: number) => void
  }) {
    this.#place = options.place
    this.#namespace = options.namespace
    this.#embedder = options.embedder
    this.#signal = options.signal
    this.#progress = options.progress
    this.#written = options.written ?? (() => {})
    this.#note = options.note ?? (() => {})
    this.#figures = options.figures
    this.#embedded = options.embedded ?? (() => {})
  }

  /** Waits while there is no room for more. */
  async room(): Promise<void> {
    while (this.#held.chunks >= ROOM.chunks || this.#held.characters >= ROOM.characters) {
      this.#ripen()
      await this.#wait()
    }
    this.#throwFailure()
  }

  /**
   * Adds a chunk. `embedded`: the store has a vector for its text. Wait for `room()` before the look-up in the store, not
   * after it: otherwise a text that is written in between would be embedded again.
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

  /** Waits until all added chunks are written. */
  async flush(): Promise<void> {
    while (this.#held.chunks > 0 || this.#writes > 0) {
      this.#pump(true)
      await this.#wait()
    }
    this.#throwFailure()
  }

  /**
   * Starts no more calls of the embedder. Resolves when all calls have ended and their vectors are written: a retry does
   * not embed these texts again.
   */
  async stop(): Promise<void> {
    this.#failure ??= { error: new SluiceError('cancelled') }
    this.#pump()
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

  /**
   * Starts all calls and writes that may start. A call that is not full starts only if no other is running; a write of few chunks
   * only after its wait, or if no chunks come after it.
   */
  #pump(everything = false): void {
    const { concurrency, limits } = this.#embedder
    const over = this.#failure !== undefined || this.#signal.aborted
    while (!over && this.#toEmbed.length > 0 && this.#embeddings < concurrency) {
      if (this.#embeddings > 0 && !everything && this.#toEmbed.length < limits.texts) break
      this.#start('embed', this.#embed(takeBatch(this.#toEmbed, limits)))
    }
    const isLast = everything && this.#toEmbed.length + this.#embeddings === 0
    const least = over || isLast || this.#isRipe ? 1 : LEAST_CHUNKS
    while (this.#toWrite.length > 0 && this.#writes < WRITES_AT_ONCE) {
      if (this.#toWrite.length < (this.#writes > 0 ? WRITE_CHUNKS : least)) break
      this.#start('write', this.#write(this.#toWrite.splice(0, WRITE_CHUNKS)))
      this.#isRipe = false
    }
    if (this.#toWrite.length > 0 && this.#writes === 0)
      this.#hold ??= setTimeout(() => this.#ripen(), HOLD_MS)
  }

  /** Writes the chunks that wait, few as they are. */
  #ripen(): void {
    clearTimeout(this.#hold)
    this.#hold = undefined
    this.#isRipe = this.#toWrite.length > 0
    this.#pump()
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
    const began = performance.now()
    const figures = this.#figures?.embedder
    const vectors = await this.#embedder
      .embed(
        batch.map((pending) => readablePassage(pending.text)),
        { signal: this.#signal, note: this.#note },
      )
      .catch((error: unknown) => {
        if (figures) figures.errors++
        throw error
      })
    if (figures) {
      noteWork(figures, began)
      figures.embedded += batch.length
    }
    this.#check(vectors, batch.length)
    this.#embedded(
      batch.map(({ text }) => text),
      vectors[0]?.length ?? 0,
    )
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
      // A stored NaN would break the ranking of every query.
      if (!holdsOnlyFinite(vector)) throw refuse('a vector holds a number that is not finite')
    }
  }

  async #write(batch: Staged[]): Promise<void> {
    const brought = batch.flatMap(({ vector }) => vector ?? [])
    const dimensions = brought[0]?.length ?? 0
    const vectors = new Float32Array(brought.length * dimensions)
    for (const [i, vector] of brought.entries()) vectors.set(vector, i * dimensions)
    const chunks = batch.map((staged) => staged.chunk)
    const began = performance.now()
    await this.#place.stage(chunks, vectors, dimensions)
    if (this.#figures) {
      noteWork(this.#figures.store, began)
      this.#figures.store.chunks += chunks.length
    }
    this.#written(chunks)
    for (const { chunk, vector } of batch) if (vector) this.#onTheWay.delete(chunk.hash)
    this.#held.chunks -= chunks.length
    for (const chunk of chunks) this.#held.characters -= chunk.text?.length ?? 0
    this.#counts.written += batch.length
    this.#progress(this.#counts)
  }
}

/** A loop without a call for each number: every vector of an upsert is checked. */
function holdsOnlyFinite(vector: Float32Array): boolean {
  let zero = 0
  // Zero times a finite number is zero, otherwise NaN.
  for (let at = 0; at < vector.length; at++) zero += vector[at]! * 0
  return zero === 0
}

/** Takes texts from the front of the queue, as many as one call may have, at least one. */
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
