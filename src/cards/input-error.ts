/** A value that a card refuses, with the name of the input. */
export class InputError extends Error {
  readonly input: string

  constructor(input: string, reason: string) {
    super(reason)
    this.input = input
  }
}
