import { oneLine } from '../markdown-table.ts'
import { ODF_INDEXES, INLINE, SHAPES } from './odf-elements.ts'
import { OdfNumbering } from './odf-lists.ts'
import { readOdfObject } from './odf-objects.ts'
import type { OdfStyles } from './odf-styles.ts'
import type { OfficePackage } from './office-package.ts'
import { renderBlock, type StoryBlock } from '../story-block.ts'
import { attribute, type ElementRule, type ElementRules, SKIP_ELEMENT, type XmlAttributes } from '../xml.ts'

type Paragraph = {
  text: string
  /** Whether a space at the end is there already: spaces of the XML count once, and not at the start. */
  endsInSpace: boolean
  heading: number | undefined
  marker: string
  level: number
  /** Shapes that are open inside it; their titles are not its text. */
  shapes: number
  after: StoryBlock[]
  outer: Paragraph | undefined
}

/** What blocks are added to: a story, a cell, a note. Lists do not reach into it. */
type Frame = { blocks: StoryBlock[]; paragraph: Paragraph | undefined; lists: OpenList[] }
type OpenList = { numbering: OdfNumbering; style: string; level: number; isPending: boolean; start?: number }
type Table = { rows: StoryBlock[][][]; row: StoryBlock[][]; repeat: number }
type Shape = { hasObject: boolean; hasImage: boolean }

/** A comment, and who wrote it. */
export type OdfComment = { author: string; text: string }

/**
 * Collects the blocks of the text of an OpenDocument file (part 3, 5 to 7, 9 and 14), in the same form as those of a
 * Word document. Pass `rules` to the package to read a part; `take` returns the result. Tracked changes are read as
 * accepted.
 */
export class OdfStory {
  /** Footnotes and endnotes, with their marks. */
  readonly notes: { foot: string[]; end: string[] } = { foot: [], end: [] }
  readonly comments: OdfComment[] = []
  readonly #source: OfficePackage
  readonly #styles: OdfStyles
  readonly #frames: Frame[] = [emptyFrame()]
  readonly #tables: Table[] = []
  readonly #shapes: Shape[] = []
  readonly #outline: OdfNumbering
  readonly #numberings = new Map<string, OdfNumbering>()
  #commentCount = 0
  #author = ''
  #isEndnote = false

  constructor(source: OfficePackage, styles: OdfStyles) {
    this.#source = source
    this.#styles = styles
    this.#outline = new OdfNumbering(styles.outline)
  }

  /** Begins a place of its own for blocks. */
  begin(): void {
    this.#frames.push(emptyFrame())
  }

  /** The blocks since `begin`. */
  end(): StoryBlock[] {
    return this.#frames.length > 1 ? this.#frames.pop()!.blocks : this.take()
  }

  /** The blocks since the last call. */
  take(): StoryBlock[] {
    const { blocks } = this.#frames[0]!
    this.#frames.splice(0, this.#frames.length, emptyFrame())
    this.#tables.length = 0
    this.#shapes.length = 0
    return blocks
  }

  readonly rules: ElementRules = {
    ...Object.fromEntries(INLINE.map((name) => [name, { text: (text: string) => this.#write(text) }])),
    p: this.#paragraphRule((attributes) =>
      this.#styles.isTitle(attribute(attributes, 'style-name')) ? 1 : undefined,
    ),
    h: this.#paragraphRule((attributes) => Math.trunc(Number(attribute(attributes, 'outline-level'))) || 1),
    s: { open: (attributes) => this.#put(' '.repeat(boundedCount(attribute(attributes, 'c'), 1000))) },
    tab: { open: () => this.#put('\t') },
    'line-break': { open: () => this.#put('\n') },
    creator: { text: (text) => this.#writeInside(text, () => (this.#author += text)) },
    date: { text: (text) => this.#writeInside(text) },

    list: { open: (attributes) => this.#beginList(attributes), close: () => this.#lists.pop() },
    'list-item': { open: (attributes) => this.#beginItem(attribute(attributes, 'start-value')) },
    'list-header': { open: () => this.#setPending(false) },

    note: {
      open: (attributes) => (this.#isEndnote = attribute(attributes, 'note-class') === 'endnote'),
    },
    'note-citation': SKIP_ELEMENT,
    'note-body': { open: () => this.#beginNote(), close: () => this.#endNote() },
    annotation: { open: () => this.#beginComment(), close: () => this.#endComment() },

    table: { open: () => this.#tables.push({ rows: [], row: [], repeat: 1 }), close: () => this.#endTable() },
    'table-row': { open: () => this.#beginRow(), close: () => this.#endRow() },
    'table-cell': { open: (attributes) => this.#beginCell(attributes), close: () => this.#endCell() },
    'covered-table-cell': { open: (attributes) => this.#beginCell(attributes), close: () => this.#endCell() },

    ...Object.fromEntries(
      SHAPES.map((name) => [name, { open: () => this.#beginShape(), close: () => this.#endShape() }]),
    ),
    image: {
      open: () => {
        const shape = this.#shapes.at(-1)
        if (shape) shape.hasImage = true
      },
    },
    object: { open: (attributes) => this.#readObject(attribute(attributes, 'href') ?? '') },

    'tracked-changes': SKIP_ELEMENT,
    forms: SKIP_ELEMENT,
    // phonetic reading (ruby) above a Chinese or Japanese word
    'ruby-text': SKIP_ELEMENT,
    // templates of tables of contents and indexes
    ...Object.fromEntries(ODF_INDEXES.map((name) => [`${name}-source`, SKIP_ELEMENT])),
  }

  get #frame(): Frame {
    return this.#frames.at(-1)!
  }

  get #lists(): OpenList[] {
    return this.#frame.lists
  }

  #paragraphRule(headingOf: (attributes: XmlAttributes) => number | undefined): ElementRule {
    return {
      open: (attributes) => {
        const heading = headingOf(attributes)
        const hasNumber = attribute(attributes, 'is-list-header') !== 'true'
        this.#beginParagraph(heading, hasNumber && attribute(attributes, 'outline-level') !== undefined)
      },
      text: (text) => this.#write(text),
      close: () => this.#endParagraph(),
    }
  }

  #beginParagraph(heading: number | undefined, isOutline: boolean): void {
    const frame = this.#frame
    const list = frame.lists.at(-1)
    let marker = ''
    if (list?.isPending) {
      marker = list.numbering.next(list.level, list.start)
      Object.assign(list, { isPending: false, start: undefined })
    } else if (!list && isOutline) marker = this.#outlineMarker(heading!)
    frame.paragraph = {
      text: '',
      endsInSpace: true,
      heading,
      marker,
      level: list?.level ?? 1,
      shapes: 0,
      after: [],
      outer: frame.paragraph,
    }
  }

  #outlineMarker(level: number): string {
    const marker = this.#outline.next(level, undefined)
    return marker === '-' ? '' : marker
  }

  #write(text: string): void {
    const { paragraph } = this.#frame
    if (!paragraph || paragraph.shapes > 0) return
    const collapsed = text.replace(/[\t\n\r ]+/g, ' ')
    const added = paragraph.endsInSpace && collapsed.startsWith(' ') ? collapsed.slice(1) : collapsed
    if (added === '') return
    this.#source.countText(added.length)
    paragraph.text += added
    paragraph.endsInSpace = added.endsWith(' ')
  }

  /** Adds characters as they are. */
  #put(text: string): void {
    const { paragraph } = this.#frame
    if (!paragraph || paragraph.shapes > 0) return
    this.#source.countText(text.length)
    paragraph.text += text
    paragraph.endsInSpace = text.endsWith('\n')
  }

  /** Text of an element that is a field inside a paragraph, and something else outside of one. */
  #writeInside(text: string, outside = () => {}): void {
    if (this.#frame.paragraph) this.#write(text)
    else outside()
  }

  #endParagraph(): void {
    const frame = this.#frame
    const { paragraph } = frame
    if (!paragraph) return
    frame.paragraph = paragraph.outer
    const { heading, marker, level, after } = paragraph
    const text = paragraph.text.trim()
    if (text !== '') {
      this.#source.countText(marker.length + 2)
      if (heading !== undefined) {
        const number = marker === '' || marker === '-' ? '' : `${marker} `
        this.put(`${'#'.repeat(Math.min(6, Math.max(1, heading)))} ${number}${oneLine(text)}`)
      } else if (marker === '') this.put(text)
      else this.put(`${'  '.repeat(Math.min(8, level - 1))}${marker} ${text}`)
    }
    for (const block of after) this.put(block)
  }

  /** Adds a block at the current position: after the open paragraph, or in the open cell. */
  put(block: StoryBlock): void {
    const { paragraph, blocks } = this.#frame
    const place = paragraph?.after ?? blocks
    place.push(block)
  }

  #beginList(attributes: XmlAttributes): void {
    const outer = this.#lists.at(-1)
    const style = attribute(attributes, 'style-name') ?? outer?.style ?? ''
    const level = (outer?.level ?? 0) + 1
    const isOuterStyle = outer?.style === style
    const numbering = isOuterStyle ? outer.numbering : this.#numberingOf(attributes, style)
    this.#numberings.set(`style ${style}`, numbering)
    const id = attribute(attributes, 'id')
    if (id !== undefined) this.#numberings.set(`id ${id}`, numbering)
    this.#lists.push({ numbering, style, level, isPending: false })
  }

  #numberingOf(attributes: XmlAttributes, style: string): OdfNumbering {
    const continued = attribute(attributes, 'continue-list')
    const before =
      continued !== undefined
        ? this.#numberings.get(`id ${continued}`)
        : attribute(attributes, 'continue-numbering') === 'true'
          ? this.#numberings.get(`style ${style}`)
          : undefined
    return before ?? new OdfNumbering(this.#styles.list(style))
  }

  #beginItem(start: string | undefined): void {
    this.#setPending(true)
    const list = this.#lists.at(-1)
    if (list && start !== undefined) list.start = Math.trunc(Number(start)) || 0
  }

  #setPending(isPending: boolean): void {
    const list = this.#lists.at(-1)
    if (list) list.isPending = isPending
  }

  #beginNote(): void {
    const { foot, end } = this.notes
    const number = (this.#isEndnote ? end : foot).length + 1
    this.#put(this.#isEndnote ? `[^e${number}]` : `[^${number}]`)
    // its place is taken at once, so that a note in a note has the next number
    ;(this.#isEndnote ? end : foot).push('')
    this.begin()
  }

  #endNote(): void {
    const notes = this.#isEndnote ? this.notes.end : this.notes.foot
    const text = this.end().map(renderBlock).join('\n')
    if (text !== '') notes[notes.length - 1] = `[^${this.#isEndnote ? 'e' : ''}${notes.length}]: ${text}`
  }

  #beginComment(): void {
    this.#put(`[^c${++this.#commentCount}]`)
    this.#author = ''
    this.begin()
  }

  #endComment(): void {
    const text = this.end().map(renderBlock).join('\n')
    this.comments.push({ author: this.#author.trim(), text })
  }

  #endTable(): void {
    const rows = this.#tables.pop()?.rows ?? []
    const isSingleCell = rows.length === 1 && rows[0]!.length === 1
    if (isSingleCell) for (const block of rows[0]![0]!) this.put(block)
    else if (rows.length > 0) this.put(rows)
  }

  #beginRow(): void {
    const table = this.#tables.at(-1)
    if (table) table.row = []
  }

  #endRow(): void {
    const table = this.#tables.at(-1)
    if (table && table.row.length > 0) table.rows.push(table.row)
  }

  #beginCell(attributes: XmlAttributes): void {
    const table = this.#tables.at(-1)
    if (table) table.repeat = boundedCount(attribute(attributes, 'number-columns-repeated'), 1000)
    this.begin()
  }

  #endCell(): void {
    const table = this.#tables.at(-1)
    const blocks = this.end()
    for (let count = table?.repeat ?? 0; count > 0; count--) {
      this.#source.countText(3)
      table!.row.push(count === 1 ? blocks : [])
    }
  }

  #beginShape(): void {
    const { paragraph } = this.#frame
    if (paragraph) paragraph.shapes++
    this.#shapes.push({ hasObject: false, hasImage: false })
    // lists around a shape do not number the paragraphs inside it
    this.#frame.lists.push({ numbering: NO_LIST, style: '', level: 0, isPending: false })
  }

  #endShape(): void {
    const { paragraph, lists } = this.#frame
    if (paragraph) paragraph.shapes--
    lists.pop()
    const shape = this.#shapes.pop()
    if (shape?.hasImage && !shape.hasObject) this.#source.drop('picture')
  }

  #readObject(href: string): void {
    const shape = this.#shapes.at(-1)
    if (shape) shape.hasObject = true
    for (const block of readOdfObject(this.#source, href)) this.put(block)
  }
}

const emptyFrame = (): Frame => ({ blocks: [], paragraph: undefined, lists: [] })

const NO_LIST = new OdfNumbering([])

/** A count of an attribute, 1 where it is missing, at most `most`. */
const boundedCount = (value: string | undefined, most: number): number =>
  Math.min(most, Math.max(1, Math.trunc(Number(value ?? 1)) || 1))
