import { isWhiteSpace } from '../white-space.ts'
import { INNERMOST, type LineReader, type Lines, headingTitle } from './line-reader.ts'
import { RANK } from './ranked-breaks.ts'
import { endsSentence } from './sentence-break.ts'

/** `name: value` or `- name: value`, as the readers write a cell of a row or a field of a record. */
const CELL = /^(?:- )?([^\s:][^:]{0,100}?): /

/** The lines of a row or record: a cell each, by the name of its column. */
export class RecordLines implements LineReader {
  readonly hasSentences = true
  readonly #to: Lines

  constructor(to: Lines) {
    this.#to = to
  }

  read(start: number, end: number): void {
    const { text, breaks, outline } = this.#to
    const name = CELL.exec(text.slice(start, Math.min(end, start + 110)))?.[1]
    if (name !== undefined)
      outline.change({ at: start, level: INNERMOST, title: headingTitle(name), joined: false })
    if (name !== undefined) breaks.add(start, RANK.PARAGRAPH)
    else breaks.add(start, endsSentence(text, this.#endBefore(start)) ? RANK.LINE : RANK.WRAPPED)
  }

  #endBefore(start: number): number {
    const { text } = this.#to
    let end = start
    while (end > text.start && isWhiteSpace(text.unit(end - 1))) end--
    return end
  }
}
