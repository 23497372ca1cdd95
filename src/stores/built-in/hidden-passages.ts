import {
  abandonedSpans,
  type HiddenIds,
  isStoredPassage,
  passagesBetween,
  passagesOfRun,
  runsOfDeath,
} from '../../db/sqlite/hidden-passages.ts'
import { type PublishedRun, removedChunks } from '../../db/sqlite/index-changes.ts'
import { Follower, inParts, inSteps } from './follower.ts'

let versions = 0

/** With so many ids, or twice those that were left the last time, the ids of passages that a sweep has deleted are dropped. */
const LEAST_CHECKED = 256

/** What an id takes, in the set and sorted, and the objects of all. */
const ID_BYTES = 50
const OBJECT_BYTES = 600

/**
 * The passages of an index that readers see no chunk of, although they are stored: of removed sources that can be restored, of
 * removed chunks before the sweep, and of abandoned runs. They must not count in the scores of the others.
 */
export class HiddenPassages extends Follower implements HiddenIds {
  readonly #ids = new Set<number>()
  /** Abandoned runs whose passages were looked at. */
  readonly #abandoned = new Set<number>()
  #sorted: Float64Array | undefined
  #version = 0
  #checkedFrom = LEAST_CHECKED

  /** How many ids there are: some may be of passages that a sweep has deleted meanwhile. */
  get size(): number {
    return this.#ids.size
  }

  /** The bytes that it takes in memory. */
  get heldBytes(): number {
    return OBJECT_BYTES + this.#ids.size * ID_BYTES
  }

  get version(): number {
    return this.#version
  }

  between(first: number, last: number): Float64Array {
    this.#sorted ??= Float64Array.from(this.#ids).sort()
    const from = placeOf(this.#sorted, first)
    return this.#sorted.subarray(from, placeOf(this.#sorted, last + 1))
  }

  protected async load(run: number): Promise<void> {
    this.#ids.clear()
    this.#abandoned.clear()
    this.#changed()
    for (const death of runsOfDeath(this.reader, this.indexId)) await this.#addDead(death)
    await this.#addAbandoned(run)
    this.#checkedFrom = Math.max(LEAST_CHECKED, 2 * this.#ids.size)
  }

  protected async take({ seq, before }: PublishedRun): Promise<void> {
    if (this.#ids.size > 0)
      await inSteps(
        before,
        (after, limit) => passagesOfRun(this.reader, seq, after, limit),
        ({ chunk }) => chunk,
        ({ passageId }) => {
          if (this.#ids.delete(passageId)) this.#changed()
        },
      )
    await this.#addDead(seq)
    await this.#addAbandoned(seq)
    if (this.#ids.size >= this.#checkedFrom) await this.#dropDeleted()
  }

  /** The sweep has deleted them, and counts them in their segments: for a search it makes no difference whether they are here. */
  async #dropDeleted(): Promise<void> {
    await inParts([...this.#ids], (id) => {
      if (!isStoredPassage(this.reader, id)) this.#ids.delete(id)
    })
    this.#sorted = undefined
    this.#checkedFrom = Math.max(LEAST_CHECKED, 2 * this.#ids.size)
  }

  /** Adds the passages of which the last visible chunk died in a run. */
  #addDead(run: number): Promise<void> {
    return inSteps(
      0,
      (after, limit) => removedChunks(this.reader, run, after, limit),
      ({ chunk }) => chunk,
      ({ passageId, gone }) => {
        if (gone) this.#add(passageId)
      },
    )
  }

  /**
   * Adds what abandoned runs before a run have left, once: later runs that show some of it, or remove it, are followed. What such runs
   * after it have staged is left out by its ids.
   */
  async #addAbandoned(run: number): Promise<void> {
    const spans = abandonedSpans(this.reader, this.indexId, run)
    const stored = new Set(spans.map(({ seq }) => seq))
    for (const seq of this.#abandoned) if (!stored.has(seq)) this.#abandoned.delete(seq)
    for (const { seq, first, end } of spans) {
      if (this.#abandoned.has(seq)) continue
      await inSteps(
        first - 1,
        (after, limit) => passagesBetween(this.reader, this.indexId, { after, end, limit }),
        ({ id }) => id,
        ({ id, visible }) => {
          if (!visible) this.#add(id)
        },
      )
      this.#abandoned.add(seq)
    }
  }

  #add(id: number): void {
    if (this.#ids.has(id)) return
    this.#ids.add(id)
    this.#changed()
  }

  #changed(): void {
    this.#sorted = undefined
    this.#version = this.#ids.size > 0 ? ++versions : 0
  }
}

/** The place of the first number that is at least `wanted`. */
function placeOf(numbers: Float64Array, wanted: number): number {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (numbers[middle]! < wanted) low = middle + 1
    else high = middle
  }
  return low
}
