import type { KnownText, NewChunk, Publication, StoreView } from '../contract/ledger.ts'
import type { Metadata, TextRange } from '../contract/document.ts'
import { passageOf } from '../documents/passage.ts'
import type { SluiceError } from '../kit/errors.ts'
import { fingerprint } from '../kit/hash.ts'
import { canonicalJson } from '../kit/json.ts'
import { MANY_EQUAL_TEXTS, ManyEqualTexts, type EqualTexts, listedTexts } from './equal-texts.ts'
import type { StageableChunk } from './stager.ts'
import { IdSet } from '../kit/id-set.ts'

export type IncomingChunk = {
  text: string
  /** What is above the text in its document. */
  head?: string
  source: string
  metadata: Metadata
  range?: TextRange | undefined
}

/** A chunk that stays in the store, with its new range. */
export type MovedChunk = NonNullable<Publication['movedChunks']>[number]

/**
 * A chunk of this run, its verdict, and whether the store has a vector for its text. `revokedUpdate`: an earlier chunk of
 * the same text that counted as an update counts as added now. `isRepeated`: the run has brought an equal chunk of the source before.
 * `moved`: it stays, at another place of its source. `replaced`: of an update, the chunk of the store whose place it takes.
 */
export type ComparedChunk = {
  chunk: StageableChunk
  verdict: Verdict
  embedded: boolean
  revokedUpdate: boolean
  isRepeated: boolean
  moved: boolean
  replaced: number | undefined
}

export type Counts = { added: number; updated: number; skipped: number }

const NONE: readonly string[] = []

type Source = {
  reconciler: Reconciler
  /**
   * Metadata hashes of chunks that are not written yet, by the hash of their text: a look-up does not find them. Lists, since
   * a set for each text is costly in a large upsert. A text of `many` adds no more to its list.
   */
  pending: Map<string, string[]>
  /** Texts that occur very often in the source, by hash. */
  many: Map<string, ManyEqualTexts>
  /** The items with chunks of this source. */
  items: Set<string>
  /** How many chunks of an item count as updates; only items that have some. */
  updates: Map<string, number>
  /** Chunks of the store that stay and have another range now. */
  moved: MovedChunk[]
}

/** Compares the chunks of a run with those of the store, source by source, and counts the result per item. */
export class SourceComparison {
  readonly #view: StoreView
  readonly #sources = new Map<string, Source>()
  /** The sources of an item's chunks, by the item's name. */
  readonly #ofItem = new Map<string, Set<string>>()
  readonly #counts = new Map<string, Counts>()
  /** Sources whose chunks of this run are not published, each with the failure of its item. */
  readonly #dropped = new Map<string, SluiceError>()

  constructor(view: StoreView) {
    this.#view = view
  }

  /** Compares chunks of one item with the store, in their order. */
  async take(item: string, incoming: IncomingChunk[]): Promise<ComparedChunk[]> {
    const chunks = incoming.map(({ text, head, source, metadata, range }): StageableChunk => {
      const canonical = canonicalJson(metadata)
      const passage = passageOf(text, head)
      return {
        source,
        text: passage,
        hash: fingerprint(passage),
        metadata: canonical,
        metadataHash: fingerprint(canonical),
        range,
      }
    })
    const sources = chunks.map((chunk) => this.#source(chunk.source, item))
    // Read before the look-up: a chunk that is written meanwhile is then found here or in the store.
    const onTheWay = chunks.map(({ hash }, i) => {
      const { many, pending } = sources[i]!
      const waiting = many.has(hash) ? undefined : pending.get(hash)
      return waiting ? [...waiting] : NONE
    })
    const known = await this.#lookUp(chunks)
    const counts = this.#countsFor(item)
    return chunks.map((chunk, i) => {
      const { hash, metadataHash } = chunk
      // Read again: a failure of another item may have dropped the source meanwhile.
      const source = this.#source(chunk.source, item)
      const many = manyOf(source, hash, known[i]!, onTheWay[i]!)
      const repeated =
        !many &&
        (onTheWay[i]!.includes(metadataHash) || source.pending.get(hash)?.includes(metadataHash) === true)
      const { verdict, revokedUpdate, kept, replaced } = source.reconciler.take(
        many ?? known[i]!.chunks,
        metadataHash,
        repeated,
      )
      if (revokedUpdate) this.#revokeUpdate(item, source)
      const isElsewhere = kept && chunk.range && !isSameRange(kept.range, chunk.range)
      if (isElsewhere) source.moved.push({ id: kept.id, range: chunk.range! })
      if (verdict === 'skip') counts.skipped++
      else {
        if (many) many.bring(metadataHash)
        else note(source.pending, hash, metadataHash)
        if (verdict === 'add') counts.added++
        else {
          counts.updated++
          source.updates.set(item, (source.updates.get(item) ?? 0) + 1)
        }
      }
      const isRepeated = verdict === 'skip' && kept === undefined
      // Of chunks that were stored before places were, it is not known where they were.
      const moved = isElsewhere === true && kept?.range !== undefined
      const embedded = many?.embedded ?? known[i]!.embedded
      return { chunk, verdict, embedded, revokedUpdate, isRepeated, moved, replaced }
    })
  }

  /** One update of the source counts as added now. If several items share the source, it may be one of another item. */
  #revokeUpdate(item: string, { updates }: Source): void {
    const owner = updates.has(item) ? item : updates.keys().next().value!
    const left = updates.get(owner)! - 1
    if (left > 0) updates.set(owner, left)
    else updates.delete(owner)
    const counts = this.#countsFor(owner)
    counts.updated--
    counts.added++
  }

  /** One look-up per source, with each text once. The result is in the order of the chunks. */
  async #lookUp(chunks: StageableChunk[]): Promise<KnownText[]> {
    const known: KnownText[] = []
    const places = Map.groupBy(chunks.keys(), (i) => chunks[i]!.source)
    for (const [source, indices] of places) {
      const many = this.#sources.get(source)?.many
      const inMemory = (i: number) => many?.get(chunks[i]!.hash)?.embedded === true
      const hashes = [...new Set(indices.filter((i) => !inMemory(i)).map((i) => chunks[i]!.hash))]
      const answers = hashes.length > 0 ? await this.#view.known(source, hashes) : []
      const byHash = new Map(hashes.map((hash, n) => [hash, answers[n]!]))
      for (const i of indices) known[i] = byHash.get(chunks[i]!.hash) ?? { embedded: true, chunks: [] }
    }
    return known
  }

  /** These chunks are written: look-ups find them from now on. */
  acknowledge(chunks: readonly NewChunk[]): void {
    for (const { source, hash, metadataHash } of chunks) {
      const pending = this.#sources.get(source)?.pending
      const ofText = pending?.get(hash)
      const at = ofText?.indexOf(metadataHash) ?? -1
      if (at < 0) continue
      if (ofText!.length === 1) pending!.delete(hash)
      else ofText!.splice(at, 1)
    }
  }

  /**
   * An item failed: its chunks of this run are not published, and its sources keep what they had.
   *
   * @throws SluiceError the given failure if another item has chunks of the same source, since the chunks cannot be told
   *   apart. If another item brings some later, `take` throws it.
   */
  drop(item: string, failure: SluiceError): void {
    for (const source of this.sourcesOf(item)) {
      if (this.#sources.get(source)!.items.size > 1) throw failure
      this.#sources.delete(source)
      this.#dropped.set(source, failure)
    }
    this.#ofItem.delete(item)
    this.#counts.delete(item)
  }

  /** The sources whose chunks of this run are not published. */
  dropped(): Iterable<string> {
    return this.#dropped.keys()
  }

  sourceNames(): string[] {
    return [...this.#sources.keys()]
  }

  movedChunks(): MovedChunk[] {
    return [...this.#sources.values()].flatMap(({ moved }) => moved)
  }

  sourcesOf(item: string): string[] {
    return [...(this.#ofItem.get(item) ?? [])]
  }

  stateOf(source: string, id: number): ChunkState {
    return this.#sources.get(source)!.reconciler.stateOf(id)
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
      const failure = this.#dropped.get(name)
      if (failure) throw failure
      source = {
        reconciler: new Reconciler(),
        pending: new Map(),
        many: new Map(),
        items: new Set(),
        updates: new Map(),
        moved: [],
      }
      this.#sources.set(name, source)
    }
    source.items.add(item)
    addTo(this.#ofItem, item, name)
    return source
  }
}

/** The equal texts of a source, if they are many. `onTheWay` was pending at the time of the look-up. */
function manyOf(
  { many, pending }: Source,
  hash: string,
  known: KnownText,
  onTheWay: readonly string[],
): ManyEqualTexts | undefined {
  const before = many.get(hash)
  if (before) {
    before.embedded ||= known.embedded
    return before
  }
  const waiting = pending.get(hash)
  if (known.chunks.length + (waiting?.length ?? 0) < MANY_EQUAL_TEXTS) return undefined
  const texts = new ManyEqualTexts(known, [...onTheWay, ...(waiting ?? [])])
  many.set(hash, texts)
  return texts
}

const isSameRange = (one: TextRange | undefined, other: TextRange): boolean =>
  one?.start === other.start && one.end === other.end

/** Adds a metadata hash to those of a text, once. */
function note(pending: Source['pending'], hash: string, metadataHash: string): void {
  const ofText = pending.get(hash)
  if (!ofText) pending.set(hash, [metadataHash])
  else if (!ofText.includes(metadataHash)) ofText.push(metadataHash)
}

function addTo(sets: Map<string, Set<string>>, key: string, value: string): void {
  const set = sets.get(key)
  if (set) set.add(value)
  else sets.set(key, new Set([value]))
}

/**
 * What the run does with one of its chunks:
 * - `skip`: the source already has this text with these metadata; also a repetition within the run.
 * - `update`: the source has this text with other metadata; they are replaced, nothing is embedded.
 * - `add`: the source does not have this text, or each equal text is paired already.
 */
export type Verdict = 'skip' | 'update' | 'add'

/** A chunk of the store: it stays, a chunk of the run takes its place, or the run does not have it. */
export type ChunkState = 'kept' | 'replaced' | 'missing'

/** `revokedUpdate`: an earlier chunk that counted as an update counts as added now. */
export type ReconcileResult = {
  verdict: Verdict
  revokedUpdate: boolean
  /** The chunk of the store that stays, at its first chunk of the run. */
  kept?: { id: number; range?: TextRange | undefined } | undefined
  /** Of an update: the chunk of the store whose place it takes. */
  replaced?: number
}

/**
 * Pairs the chunks of one source in a run with those that the store has of it. It reads no store: the caller passes what
 * is known.
 *
 * An equal pair of text and metadata comes first; what is left of equal texts is paired in order of appearance. Chunks
 * arrive one by one, so an equal pair may arrive after its partner was given to another chunk: then the earlier chunk
 * takes another partner, or counts as added.
 */
export class Reconciler {
  /** Chunks of the store that stay as they are. */
  readonly #kept = new IdSet()
  /** Chunks of the store that a chunk of this run replaces. */
  readonly #replaced = new IdSet()

  /**
   * @param known the chunks of the source with this text: the store's, and those this run has brought before
   * @param repeated whether this run has brought the same pair before, and it is not written yet
   */
  take(known: KnownText['chunks'] | EqualTexts, metadataHash: string, repeated: boolean): ReconcileResult {
    const equal = Array.isArray(known) ? listedTexts(known) : known
    const same = equal.find(metadataHash)
    if (repeated || same?.fresh) return { verdict: 'skip', revokedUpdate: false }
    if (same) {
      const taken = this.#replaced.delete(same.id)
      const first = !this.#kept.has(same.id)
      this.#kept.add(same.id)
      return {
        verdict: 'skip',
        revokedUpdate: taken && this.#claim(equal) === undefined,
        kept: first ? same : undefined,
      }
    }
    const replaced = this.#claim(equal)
    return replaced === undefined
      ? { verdict: 'add', revokedUpdate: false }
      : { verdict: 'update', revokedUpdate: false, replaced }
  }

  /** Marks the first chunk of the store that is still free as replaced, and gives its id; undefined where there is none. */
  #claim(equal: EqualTexts): number | undefined {
    const free = equal.firstHeld((id) => !this.#kept.has(id) && !this.#replaced.has(id))
    if (free !== undefined) this.#replaced.add(free)
    return free
  }

  /** The state of a chunk of the store, after all chunks of its source in this run. */
  stateOf(id: number): ChunkState {
    if (this.#kept.has(id)) return 'kept'
    return this.#replaced.has(id) ? 'replaced' : 'missing'
  }
}
