/** A value that a card refuses, with the name of the input. */
export class InputError extends Error {
  readonly input: string
  /** Where this server does not have what the value asks for: what to use in its place, as a sentence. */
  readonly instead: string | undefined
  /** What to do where something has to be supplied, as a sentence. */
  readonly hint: string | undefined

  constructor(input: string, reason: string, { instead, hint }: { instead?: string; hint?: string } = {}) {
    super(reason)
    this.input = input
    this.instead = instead
    this.hint = hint
  }
}
