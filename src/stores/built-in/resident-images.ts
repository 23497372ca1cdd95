import type { EngineMemory } from '../../contract/vector-engine.ts'

/** What is known of an image: the bytes that it takes in memory, with all its objects. */
type Sized = { readonly heldBytes: number; close(): void }

/** An image that is used: it stays in memory until it is disposed of. */
export type Lent<Image> = Disposable & { readonly image: Image }

/**
 * `expected`: about its bytes, until it is loaded. `used`: when it was lent last, as a number that grows. `isLeaving`: it goes as soon
 * as its file is written.
 */
type Resident<Image> = { image: Image; users: number; expected: number; used: number; isLeaving: boolean }

export type ResidentOptions<Image extends Sized> = {
  /** The most bytes of all images together; without it, images stay. */
  limit?: number | undefined
  /** The images of several databases that have one limit together; these are added to them. */
  among?: Set<ResidentImages<Image>> | undefined
  /** Writes a file of an image that is to go, where one is due: the next load is quicker. */
  keep(indexId: number, image: Image): Promise<void> | undefined
  /** An image of so many bytes has gone. */
  gone(indexId: number, bytes: number): void
}

/**
 * The images in memory. Where they take more than a limit, those that were not used for the longest time go. An image that is
 * used stays, and so does one that is larger than the limit while it is used.
 */
export class ResidentImages<Image extends Sized> {
  /** In the order of their last use. */
  readonly #all = new Map<number, Resident<Image>>()
  readonly #options: ResidentOptions<Image>
  readonly #among: Set<ResidentImages<Image>>
  #evictions = 0

  constructor(options: ResidentOptions<Image>) {
    this.#options = options
    this.#among = (options.among ?? new Set<ResidentImages<Image>>()).add(this)
  }

  get memory(): EngineMemory {
    return { images: this.#all.size, bytes: this.#bytes(), evictions: this.#evictions }
  }

  find(indexId: number): Image | undefined {
    return this.#all.get(indexId)?.image
  }

  /**
   * Lends the image of an index, which is made where there is none. Others go first where there would be too many bytes.
   *
   * @param expected about the bytes of an image that is not loaded yet
   */
  lend(indexId: number, make: () => Image, expected: () => number): Lent<Image> {
    const known = this.#all.get(indexId)
    const resident = known ?? { image: make(), users: 0, expected: expected(), used: 0, isLeaving: false }
    resident.users++
    resident.used = ++uses
    this.#all.delete(indexId)
    this.#all.set(indexId, resident)
    if (!known) this.#trim()
    let isLent = true
    return {
      image: resident.image,
      [Symbol.dispose]: () => {
        if (!isLent) return
        isLent = false
        resident.users--
        resident.expected = 0
        this.#trim()
      },
    }
  }

  remove(indexId: number): void {
    this.#all.get(indexId)?.image.close()
    this.#all.delete(indexId)
  }

  /** All images go, and the place of these among others. */
  close(): void {
    for (const indexId of [...this.#all.keys()]) this.remove(indexId)
    this.#among.delete(this)
  }

  #bytes(): number {
    let bytes = 0
    for (const resident of this.#all.values()) bytes += bytesOf(resident)
    return bytes
  }

  #trim(): void {
    const { limit } = this.#options
    if (limit === undefined) return
    let bytes = 0
    for (const { resident } of this.#inOrder()) if (!resident.isLeaving) bytes += bytesOf(resident)
    if (bytes <= limit) return
    for (const { owner, indexId, resident } of this.#inOrder()) {
      if (bytes <= limit) return
      if (resident.users > 0 || resident.isLeaving) continue
      bytes -= bytesOf(resident)
      owner.#leave(indexId, resident)
    }
  }

  /** All images that have the limit together, those first that were not used for the longest time. */
  #inOrder() {
    const all = [...this.#among].flatMap((owner) =>
      [...owner.#all].map(([indexId, resident]) => ({ owner, indexId, resident })),
    )
    return this.#among.size === 1 ? all : all.sort((a, b) => a.resident.used - b.resident.used)
  }

  #leave(indexId: number, resident: Resident<Image>): void {
    const keeping = this.#options.keep(indexId, resident.image)
    if (!keeping) {
      this.#evict(indexId, resident)
      return
    }
    resident.isLeaving = true
    void keeping.then(() => {
      resident.isLeaving = false
      // It is used again, or its index was removed.
      if (resident.users === 0 && this.#all.get(indexId) === resident) this.#evict(indexId, resident)
    })
  }

  #evict(indexId: number, resident: Resident<Image>): void {
    const bytes = bytesOf(resident)
    this.#all.delete(indexId)
    this.#evictions++
    resident.image.close()
    this.#options.gone(indexId, bytes)
  }
}

/** How often an image was lent. */
let uses = 0

const bytesOf = ({ image, expected }: Resident<Sized>): number => Math.max(image.heldBytes, expected)
