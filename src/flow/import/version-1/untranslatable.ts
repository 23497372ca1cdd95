/** Something of version 1 that has no counterpart in steps, at an input. `instead` is a sentence. */
export class Untranslatable extends Error {
  readonly input: string
  readonly instead: string

  constructor(input: string, reason: string, instead: string) {
    super(reason)
    this.input = input
    this.instead = instead
  }
}
