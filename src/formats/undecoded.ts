import type { DroppedItem } from './reader.ts'

/** Stands for bytes that are no character. */
const REPLACEMENT = '\ufffd'

/** Counts the bytes of a text that are no character in its encoding: U+FFFD stands for them. */
export class UndecodedCharacters {
  #count = 0

  /** @param decoded text of bytes of which some may be invalid */
  note(decoded: string): void {
    for (let at = decoded.indexOf(REPLACEMENT); at >= 0; at = decoded.indexOf(REPLACEMENT, at + 1))
      this.#count++
  }

  *report(): Generator<DroppedItem> {
    if (this.#count > 0) yield { dropped: { kind: 'undecodedCharacter', count: this.#count } }
  }
}
