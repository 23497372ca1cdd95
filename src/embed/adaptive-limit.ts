/** The number of concurrent calls: at first, and at most. */
const START = 4
const MAX = 16

/**
 * `round`: how often the limit had been halved when a call began. If a call of an earlier round fails, the limit is not
 * halved again.
 */
type Permit = { round: number }

/**
 * Limits the concurrent calls: slightly more after every success, half as many when the provider reports too many
 * requests (the additive increase and multiplicative decrease of TCP, RFC 5681).
 */
export class AdaptiveLimit {
  #window = START
  #active = 0
  #round = 0
  readonly #waiting: PromiseWithResolvers<void>[] = []

  /** How many calls may run now. */
  get size(): number {
    return Math.floor(this.#window)
  }

  /**
   * Runs a call as soon as the limit allows.
   *
   * @param isTooMuch whether a failure means that there are too many calls
   */
  async run<T>(
    work: () => Promise<T>,
    isTooMuch: (error: unknown) => boolean,
    signal?: AbortSignal,
  ): Promise<T> {
    await this.#enter(signal)
    const permit: Permit = { round: this.#round }
    try {
      const result = await work()
      this.#window = Math.min(MAX, this.#window + 1 / this.#window)
      return result
    } catch (error) {
      if (isTooMuch(error)) this.#shrink(permit)
      throw error
    } finally {
      this.#active--
      this.#startWaiting()
    }
  }

  async #enter(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted()
    if (this.#active < this.size) {
      this.#active++
      return
    }
    const place = Promise.withResolvers<void>()
    const giveUp = () => {
      this.#waiting.splice(this.#waiting.indexOf(place), 1)
      place.reject(signal!.reason)
    }
    this.#waiting.push(place)
    signal?.addEventListener('abort', giveUp, { once: true })
    try {
      await place.promise
    } finally {
      signal?.removeEventListener('abort', giveUp)
    }
  }

  #startWaiting(): void {
    while (this.#active < this.size) {
      const next = this.#waiting.shift()
      if (!next) return
      this.#active++
      next.resolve()
    }
  }

  #shrink({ round }: Permit): void {
    if (round !== this.#round) return
    this.#round++
    this.#window = Math.max(1, this.#window / 2)
  }
}
