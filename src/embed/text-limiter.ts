import type { EmbedOptions } from '../contract/embedder.ts'
import { SluiceError } from '../kit/errors.ts'
import { cutToTokens, estimateTokens } from './token-estimate.ts'

type Note = EmbedOptions['note']

/** The share of a text that remains after a cut, and the most cuts. */
const KEPT = 0.8
const CUTS = 12

/** After this many texts that had to be cut, the model's limit counts as known. */
const LIMIT_KNOWN_AFTER = 3

/** Cuts texts to the length that a model accepts: its known limit, or the longest text that it has accepted so far. */
export class TextLimiter {
  readonly #model: string
  readonly #cut: boolean
  #limit: number
  /** Estimated tokens of the texts that were accepted after a cut. */
  readonly #accepted: number[] = []

  constructor({ model, textTokens = Infinity, cut }: { model: string; textTokens?: number; cut: boolean }) {
    this.#model = model
    this.#cut = cut
    this.#limit = textTokens
  }

  /** The text, or as much of it as the model reads. @throws SluiceError `text_too_long` if it must not be cut */
  fit(text: string, note: Note): string {
    // The estimate is never higher than the number of characters: short texts need no counting.
    if (text.length <= this.#limit || estimateTokens(text) <= this.#limit) return text
    return this.#shorten(text, this.#limit, note)
  }

  /**
   * Cuts a text that was refused, a fifth at a time, until `send` returns a result.
   *
   * @throws SluiceError `text_too_long`
   */
  async cutUntil<T>(text: string, note: Note, send: (shorter: string) => Promise<T | undefined>): Promise<T> {
    let shorter = text
    for (let cuts = 0; cuts < CUTS && shorter.length > 1; cuts++) {
      shorter = this.#shorten(shorter, Math.floor(estimateTokens(shorter) * KEPT), note)
      const answer = await send(shorter)
      if (answer === undefined) continue
      this.#accepted.push(estimateTokens(shorter))
      if (this.#accepted.length >= LIMIT_KNOWN_AFTER)
        this.#limit = Math.min(this.#limit, Math.max(...this.#accepted))
      return answer
    }
    throw new SluiceError('text_too_long', { model: this.#model, stage: 'embed' })
  }

  #shorten(text: string, tokens: number, note: Note): string {
    if (!this.#cut) {
      throw new SluiceError('text_too_long', {
        model: this.#model,
        stage: 'embed',
        hint: 'Make the chunks smaller, or let the embeddings node cut long texts',
      })
    }
    note?.(
      `texts longer than ${this.#model} takes were cut before embedding; keyword search still finds their whole text`,
    )
    return cutToTokens(text, tokens)
  }
}
