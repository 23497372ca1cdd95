import type { KnownText } from '../contract/chunk-store.ts'
import { IdSet } from '../kit/id-set.ts'
import { type EqualTexts, listedTexts } from './equal-texts.ts'

/**
 * What becomes of a chunk of this run:
 * - `skip`: the source already has this text with these metadata; also a repetition within the run.
 * - `update`: the source has this text with other metadata; the new ones take their place, nothing is embedded.
 * - `add`: the source does not have this text, or not another time.
 */
export type Verdict = 'skip' | 'update' | 'add'

/** `turned`: a chunk that was judged an update before counts as added after all. */
export type Judgement = { verdict: Verdict; turned: boolean }

/**
 * Pairs the chunks of one source with those that the store has of it. Pure: it is told what is known and says what
 * follows.
 *
 * An equal pair of text and metadata comes first; what is left of equal texts is paired in order of appearance. Chunks
 * arrive one by one, so an equal pair may turn up after its partner was given away: then the earlier chunk takes
 * another partner, or counts as added.
 */
export class Reconciler {
  /** Chunks of the store that stay as they are. */
  readonly #kept = new IdSet()
  /** Chunks of the store whose place a chunk of this run takes. */
  readonly #replaced = new IdSet()

  /**
   * @param known the chunks of the source with this text: the store's, and those this run has brought before
   * @param repeated whether this run has the same pair on its way already
   */
  take(known: KnownText['chunks'] | EqualTexts, metadataHash: string, repeated: boolean): Judgement {
    const equal = Array.isArray(known) ? listedTexts(known) : known
    const same = equal.find(metadataHash)
    if (repeated || same?.fresh) return { verdict: 'skip', turned: false }
    if (same) {
      const taken = this.#replaced.delete(same.id)
      this.#kept.add(same.id)
      return { verdict: 'skip', turned: taken && !this.#claim(equal) }
    }
    return { verdict: this.#claim(equal) ? 'update' : 'add', turned: false }
  }

  /** Takes the first chunk of the store that is still free, to be replaced; answers whether there was one. */
  #claim(equal: EqualTexts): boolean {
    const free = equal.firstHeld((id) => !this.#kept.has(id) && !this.#replaced.has(id))
    if (free !== undefined) this.#replaced.add(free)
    return free !== undefined
  }

  /** What becomes of a chunk of the store once the whole source was seen. */
  fate(id: number): 'kept' | 'replaced' | 'vanished' {
    if (this.#kept.has(id)) return 'kept'
    return this.#replaced.has(id) ? 'replaced' : 'vanished'
  }
}
