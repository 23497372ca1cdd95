import { setImmediate } from 'node:timers/promises'
import type { Connection } from '../db/connection.ts'
import {
  broughtChunks,
  lastPublished,
  nextPublished,
  passagesAfter,
  type PublishedRun,
  removedChunks,
} from '../db/index-changes.ts'
import { VectorImage } from '../vector/image.ts'

/** What a query scans: the vectors of an index in memory, at the state of one published run. */
export type SearchImage = {
  /** Whether nothing was published since; ask inside the snapshot that reads the rest. */
  isCurrent(): boolean
  /** Ids of the passages closest to a vector. */
  nearest(vector: Float32Array, limit: number, allowed?: ReadonlySet<number>): number[]
}

/** The search images of all indexes: made at an index's first query, then led along with each publication. */
export type SearchImages = {
  /** The image of an index at the newest publication, made in small steps where there is none yet. */
  open(indexId: number): Promise<SearchImage>
  /** Leads an image along; an index that nobody has asked yet has none. */
  follow(indexId: number): Promise<void>
  forget(indexId: number): void
}

/** How many passages one step reads before others have their turn: a few milliseconds. */
const STEP = 1000

export function createSearchImages(reader: Connection): SearchImages {
  const images = new Map<number, FollowingImage>()
  return {
    async open(indexId) {
      let image = images.get(indexId)
      if (!image) {
        image = new FollowingImage(reader, indexId)
        images.set(indexId, image)
      }
      await image.follow()
      return image
    },
    async follow(indexId) {
      await images.get(indexId)?.follow()
    },
    forget: (indexId) => void images.delete(indexId),
  }
}

class FollowingImage implements SearchImage {
  readonly #reader: Connection
  readonly #indexId: number
  #image: VectorImage | undefined
  /** The run whose state the image shows; undefined until it is loaded. */
  #run: number | undefined
  #following: Promise<void> | undefined

  constructor(reader: Connection, indexId: number) {
    this.#reader = reader
    this.#indexId = indexId
  }

  isCurrent(): boolean {
    return this.#run === lastPublished(this.#reader, this.#indexId)
  }

  nearest(vector: Float32Array, limit: number, allowed?: ReadonlySet<number>): number[] {
    const image = this.#image
    if (!image || image.dimensions !== vector.length) return []
    return image.search(vector, { k: limit, ...(allowed ? { allow: allowed } : {}) }).map((hit) => hit.id)
  }

  /** Queries that come together share one way forward. */
  follow(): Promise<void> {
    this.#following ??= this.#advance().finally(() => {
      this.#following = undefined
    })
    return this.#following
  }

  async #advance(): Promise<void> {
    if (this.#run === undefined) {
      const start = lastPublished(this.#reader, this.#indexId)
      await this.#load()
      this.#run = start
    }
    for (let next = this.#next(); next; next = this.#next()) {
      await this.#take(next)
      await this.#letGo(next)
      this.#run = next.seq
    }
  }

  #next() {
    return nextPublished(this.#reader, this.#indexId, this.#run!)
  }

  async #load(): Promise<void> {
    for (let after = 0; ; ) {
      const passages = passagesAfter(this.#reader, this.#indexId, after, STEP)
      for (const { id, vector } of passages) this.#add(id, vector)
      if (passages.length < STEP) return
      after = passages.at(-1)!.id
      await setImmediate()
    }
  }

  async #take({ seq, before }: PublishedRun): Promise<void> {
    for (let after = before; ; ) {
      const chunks = broughtChunks(this.#reader, seq, after, STEP)
      for (const { passage } of chunks) this.#add(passage.id, passage.vector)
      if (chunks.length < STEP) return
      after = chunks.at(-1)!.chunk
      await setImmediate()
    }
  }

  async #letGo({ seq }: PublishedRun): Promise<void> {
    for (let after = 0; ; ) {
      const chunks = removedChunks(this.#reader, seq, after, STEP)
      for (const { passageId, gone } of chunks) if (gone) this.#image?.remove(passageId)
      if (chunks.length < STEP) return
      after = chunks.at(-1)!.chunk
      await setImmediate()
    }
  }

  #add(id: number, vector: Float32Array): void {
    this.#image ??= new VectorImage({ dimensions: vector.length })
    this.#image.add(id, vector)
  }
}
