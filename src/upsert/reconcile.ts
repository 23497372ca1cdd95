import type { TextRange } from '../contract/document.ts'
import type { KnownText } from '../contract/ledger.ts'
import { IdSet } from '../kit/id-set.ts'
import { type EqualTexts, listedTexts } from './equal-texts.ts'

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
