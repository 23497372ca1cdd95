import type { KnownText, NewChunk, StoreView } from '../contract/chunk-store.ts'
import type { Metadata } from '../contract/document.ts'
import type { SluiceError } from '../kit/errors.ts'
import { fingerprint } from '../kit/hash.ts'
import { canonicalJson } from '../kit/json.ts'
import { Reconciler, type Verdict } from './reconcile.ts'
import type { StageableChunk } from './stager.ts'

export type Incoming = { text: string; source: string; metadata: Metadata }

/** A chunk of this run, what becomes of it, and whether the store has a vector for its text. */
export type Judged = { chunk: StageableChunk; verdict: Verdict; embedded: boolean }

export type Counts = { added: number; updated: number; skipped: number }

type Source = {
  reconciler: Reconciler
  /** Text and metadata of chunks on their way, which a look-up may not find yet. */
  pending: Set<string>
  /** Which items brought chunks of it. */
  items: Set<string>
}

/** What a run knows of its sources: which chunks it has seen of each, and what becomes of those in the store. */
export class SourceLedger {
  readonly #view: StoreView
  readonly #sources = new Map<string, Source>()
  readonly #counts = new Map<string, Counts>()
  /** What went wrong with the item that brought chunks of a source which are not to be seen. */
  readonly #discarded = new Map<string, SluiceError>()

  constructor(view: StoreView) {
    this.#view = view
  }

  /** Judges chunks of one item, in their order. */
  async take(item: string, incoming: Incoming[]): Promise<Judged[]> {
    const chunks = incoming.map(({ text, source, metadata }): StageableChunk => {
      const canonical = canonicalJson(metadata)
      return {
        source,
        text,
        hash: fingerprint(text),
        metadata: canonical,
        metadataHash: fingerprint(canonical),
      }
    })
    // Asked before the look-up: a chunk that is written meanwhile is then found by the one or the other.
    const onTheWay = chunks.map((chunk) => this.#source(chunk.source, item).pending.has(keyOf(chunk)))
    const known = await this.#lookUp(chunks)
    const counts = this.#countsFor(item)
    return chunks.map((chunk, i) => {
      const { reconciler, pending } = this.#source(chunk.source, item)
      const key = keyOf(chunk)
      const repeated = onTheWay[i]! || pending.has(key)
      const { verdict, turned } = reconciler.take(known[i]!.chunks, chunk.metadataHash, repeated)
      if (turned) this.#turn(item, chunk.source)
      if (verdict === 'skip') counts.skipped++
      else {
        pending.add(key)
        if (verdict === 'update') counts.updated++
        else counts.added++
      }
      return { chunk, verdict, embedded: known[i]!.embedded }
    })
  }

  /** An update of the source counts as added after all; of which of its items, where it is shared, cannot be told. */
  #turn(item: string, source: string): void {
    const items = [item, ...this.#sources.get(source)!.items]
    const counts = items.map((one) => this.#countsFor(one)).find(({ updated }) => updated > 0)!
    counts.updated--
    counts.added++
  }

  /** One question to the store per source, answers in the order of the chunks. */
  async #lookUp(chunks: StageableChunk[]): Promise<KnownText[]> {
    const known: KnownText[] = []
    const places = Map.groupBy(chunks.keys(), (i) => chunks[i]!.source)
    for (const [source, indices] of places) {
      const answers = await this.#view.known(
        source,
        indices.map((i) => chunks[i]!.hash),
      )
      for (const [n, i] of indices.entries()) known[i] = answers[n]!
    }
    return known
  }

  /** The store finds these from now on. */
  acknowledge(chunks: readonly NewChunk[]): void {
    for (const chunk of chunks) this.#sources.get(chunk.source)?.pending.delete(keyOf(chunk))
  }

  /**
   * An item failed on its way: what its sources held stays, what it brought is not to be seen.
   *
   * @throws SluiceError the given failure, where another item brought chunks of the same source: they cannot be told
   *   apart. One that does so later has `take` throw it.
   */
  discard(item: string, failure: SluiceError): void {
    for (const [source, { items }] of this.#sources) {
      if (!items.has(item)) continue
      if (items.size > 1) throw failure
      this.#sources.delete(source)
      this.#discarded.set(source, failure)
    }
    this.#counts.delete(item)
  }

  /** The sources whose chunks of this run are not to be seen. */
  discarded(): Iterable<string> {
    return this.#discarded.keys()
  }

  names(): string[] {
    return [...this.#sources.keys()]
  }

  sourcesOf(item: string): string[] {
    return this.names().filter((name) => this.#sources.get(name)!.items.has(item))
  }

  fate(source: string, id: number): 'kept' | 'replaced' | 'vanished' {
    return this.#sources.get(source)!.reconciler.fate(id)
  }

  countsOf(item: string): Counts {
    return this.#countsFor(item)
  }

  #countsFor(item: string): Counts {
    let counts = this.#counts.get(item)
    if (!counts) {
      counts = { added: 0, updated: 0, skipped: 0 }
      this.#counts.set(item, counts)
    }
    return counts
  }

  #source(name: string, item: string): Source {
    let source = this.#sources.get(name)
    if (!source) {
      const failure = this.#discarded.get(name)
      if (failure) throw failure
      source = { reconciler: new Reconciler(), pending: new Set(), items: new Set() }
      this.#sources.set(name, source)
    }
    source.items.add(item)
    return source
  }
}

const keyOf = (chunk: NewChunk) => chunk.hash + chunk.metadataHash
