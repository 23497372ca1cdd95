/** Keeps the `capacity` highest scores with their owners, in a binary heap with the lowest kept score on top. */
export class Best {
  readonly #capacity: number
  readonly #scores: Float64Array
  readonly #owners: Float64Array
  #size = 0

  constructor(capacity: number) {
    this.#capacity = capacity
    this.#scores = new Float64Array(capacity)
    this.#owners = new Float64Array(capacity)
  }

  /** A score is kept if it is above this. */
  get threshold(): number {
    if (this.#size < this.#capacity) return -Infinity
    return this.#capacity === 0 ? Infinity : this.#scores[0]!
  }

  /** Keeps a score above the {@link threshold}; others are left out. */
  offer(owner: number, score: number): void {
    if (!(score > this.threshold)) return
    if (this.#size < this.#capacity) this.#rise(this.#size++, owner, score)
    else this.#sink(owner, score)
  }

  /** The kept owners, the highest score first; of equal scores the lower owner first. */
  ranked(): { owner: number; score: number }[] {
    return Array.from({ length: this.#size }, (_, at) => ({
      owner: this.#owners[at]!,
      score: this.#scores[at]!,
    })).sort((left, right) => right.score - left.score || left.owner - right.owner)
  }

  #rise(place: number, owner: number, score: number): void {
    let at = place
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (this.#scores[parent]! <= score) break
      this.#move(parent, at)
      at = parent
    }
    this.#put(at, owner, score)
  }

  #sink(owner: number, score: number): void {
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child + 1 < this.#size && this.#scores[child + 1]! < this.#scores[child]!) child++
      if (child >= this.#size || this.#scores[child]! >= score) break
      this.#move(child, at)
      at = child
    }
    this.#put(at, owner, score)
  }

  #move(from: number, to: number): void {
    this.#put(to, this.#owners[from]!, this.#scores[from]!)
  }

  #put(at: number, owner: number, score: number): void {
    this.#owners[at] = owner
    this.#scores[at] = score
  }
}
