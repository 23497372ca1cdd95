import type { EmbedOptions } from '../contract/embedder.ts'
import { SluiceError } from '../kit/errors.ts'
import { cutToTokens, estimateTokens } from './token-estimate.ts'

type Note = EmbedOptions['note']

/** How much of a text is left by one cut, and how often one is made. */
const KEPT = 0.8
const CUTS = 12

/** After so many texts that had to be cut the model's limit counts as known. */
const SURE_AFTER = 3

/** Keeps texts within what a model reads, by its known limit or by what it has taken so far. */
export class TextLimiter {
  readonly #model: string
  readonly #cut: boolean
  #limit: number
  /** How long texts were that were taken after a cut. */
  readonly #taken: number[] = []

  constructor({ model, textTokens = Infinity, cut }: { model: string; textTokens?: number; cut: boolean }) {
    this.#model = model
    this.#cut = cut
    this.#limit = textTokens
  }

  /** The text, or as much of it as the model reads. @throws SluiceError `text_too_long` where it may not be cut */
  fit(text: string, note: Note): string {
    // No text is estimated at more tokens than it has characters: short ones need no counting.
    if (text.length <= this.#limit || estimateTokens(text) <= this.#limit) return text
    return this.#shortened(text, this.#limit, note)
  }

  /** Cuts a text that was refused, a fifth at a time, until `send` answers. @throws SluiceError `text_too_long` */
  async cutUntil<T>(text: string, note: Note, send: (shorter: string) => Promise<T | undefined>): Promise<T> {
    let shorter = text
    for (let cuts = 0; cuts < CUTS && shorter.length > 1; cuts++) {
      shorter = this.#shortened(shorter, Math.floor(estimateTokens(shorter) * KEPT), note)
      const answer = await send(shorter)
      if (answer === undefined) continue
      this.#taken.push(estimateTokens(shorter))
      if (this.#taken.length >= SURE_AFTER) this.#limit = Math.min(this.#limit, Math.max(...this.#taken))
      return answer
    }
    throw new SluiceError('text_too_long', { model: this.#model, stage: 'embed' })
  }

  #shortened(text: string, tokens: number, note: Note): string {
    if (!this.#cut) {
      throw new SluiceError('text_too_long', {
        model: this.#model,
        stage: 'embed',
        hint: 'Make the chunks smaller, or let the embeddings node cut long texts',
      })
    }
    note?.(
      `texts longer than ${this.#model} takes were cut for their vectors; they are stored and found by keywords whole`,
    )
    return cutToTokens(text, tokens)
  }
}
