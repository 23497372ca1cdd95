import { CellStory, MAX_TABLE_DEPTH } from '../cell-story.ts'
import { type DocHeader, type DocPiece, pieceText, readPieces } from './doc-pieces.ts'
import { CHANGE, PropertyPages, type Run } from './doc-properties.ts'
import { readDocLists } from './doc-lists.ts'
import { readDocStyles } from './doc-styles.ts'
import type { Extraction } from '../extraction.ts'

/** Text at a position that stands for something else: the mark of a note. */
export type Marks = ReadonlyMap<number, string>

/** Reads ranges of the text of a document as markdown blocks. */
export class DocText {
  readonly #header: DocHeader
  readonly #source: Extraction
  readonly #pieces: DocPiece[]
  readonly #characters: PropertyPages
  readonly #paragraphs: PropertyPages
  readonly #styles: ReturnType<typeof readDocStyles>
  readonly #lists: ReturnType<typeof readDocLists>

  constructor(header: DocHeader, source: Extraction) {
    this.#header = header
    this.#source = source
    this.#pieces = readPieces(header.structure(CLX), source)
    this.#characters = new PropertyPages(header, 'characters')
    this.#paragraphs = new PropertyPages(header, 'paragraphs')
    this.#styles = readDocStyles(header.structure(STYLE_SHEET))
    this.#lists = readDocLists(header)
  }

  /** The blocks from a position to before another. */
  blocks(start: number, end: number, marks: Marks = new Map()): string[] {
    const cells = new CellStory(this.#source)
    /** Fields that are open: whether the text is still the instruction. */
    const fields: boolean[] = []
    let instructions = 0
    let text = ''
    for (const { character, position, place, run } of this.#charactersOf(start, end)) {
      const mark = marks.get(position)
      if (mark !== undefined) text += mark
      if (character === '\x13') {
        fields.push(true)
        instructions++
      } else if (character === '\x14' || character === '\x15') {
        if (fields.pop()) instructions--
        if (character === '\x14') fields.push(false)
      } else if (character === '\r' || character === '\x07' || character === '\f') {
        this.#endParagraph(cells, text, character, this.#paragraphs.at(place))
        text = ''
      } else if (instructions === 0 && !isLeftOut(run)) {
        if (character === '\x01') this.#source.drop('picture')
        text +=
          run.changes.has(CHANGE.symbol) && character === '(' ? '\u2022' : (SPECIAL[character] ?? character)
      }
    }
    if (text !== '') cells.paragraph(text, { depth: 0 })
    return cells.end()
  }

  *#charactersOf(start: number, end: number) {
    const { stream } = this.#header
    for (const piece of this.#pieces) {
      const [from, to] = [Math.max(start, piece.start), Math.min(end, piece.end)]
      if (from >= to) continue
      const first = piece.place + (from - piece.start) * piece.size
      const text = pieceText(stream.subarray(first, first + (to - from) * piece.size), piece.size)
      // hostile pieces may overlap, so that a small file has much text
      this.#source.countText(text.length)
      let run: Run | undefined
      for (let index = 0; index < text.length; index++) {
        const place = first + index * piece.size
        if (!run || place >= run.end) run = this.#characters.at(place)
        yield { character: text[index]!, position: from + index, place, run }
      }
    }
  }

  #endParagraph(cells: CellStory, text: string, mark: string, { style, changes }: Run): void {
    const change = (code: number) => changes.get(code) ?? this.#styles.change(style, code)
    const inTable = changes.get(CHANGE.inTable) === 1
    const deep = Math.min(MAX_TABLE_DEPTH, changes.get(CHANGE.tableDepth) ?? 0)
    const depth = inTable || mark === '\x07' ? Math.max(1, deep) : 0
    const endsRow = changes.get(CHANGE.endsRow) === 1 && mark === '\x07'
    if (endsRow || changes.get(CHANGE.innerRow) === 1) {
      cells.endRow(Math.max(1, depth))
      return
    }
    const outline = changes.get(CHANGE.outline)
    const heading =
      outline === undefined ? this.#styles.heading(style) : outline < 9 ? outline + 1 : undefined
    const list = change(CHANGE.list) ?? 0
    const level = change(CHANGE.listLevel) ?? 0
    const marker = list > 0 && list < 2047 ? this.#lists.nextMarker({ id: String(list), level }) : ''
    cells.paragraph(text, { heading, marker, level, depth })
    if (mark === '\x07' || changes.get(CHANGE.innerCell) === 1) cells.endCell(Math.max(1, depth))
  }
}

const STYLE_SHEET = 1
const CLX = 33

const isLeftOut = ({ changes }: Run): boolean =>
  changes.get(CHANGE.isDeleted) === 1 || changes.get(CHANGE.isHidden) === 1

/** Characters that mean something else, or nothing, in the text of a document (MS-DOC 2.4.1). */
const SPECIAL: Readonly<Record<string, string | undefined>> = {
  ...Object.fromEntries(Array.from({ length: 32 }, (_, code) => [String.fromCharCode(code), ''])),
  '\t': '\t',
  '\n': '\n',
  '\v': '\n',
  '\x0e': '\n',
  '\x1e': '\u2011',
}
