import type { DocxLists } from './docx-lists.ts'
import { MATH_ARGUMENTS, MATH_OPTIONS, MATH_STRUCTURES, MathText } from './docx-math.ts'
import type { ListPosition, DocxStyles } from './docx-styles.ts'
import { oneLine } from '../markdown-table.ts'
import type { OfficePackage } from './office-package.ts'
import type { StoryBlock } from '../story-block.ts'
import { type XmlAttributes, attribute, type ElementRules, SKIP, SKIP_ELEMENT } from '../xml.ts'

type Paragraph = {
  text: string
  style?: string
  outline?: number
  list?: Partial<ListPosition>
  /** The open equation; `endsWithMath`: the text of the paragraph up to the end of its last equation. */
  math?: MathText
  endsWithMath?: string
  /** Whether it was created for an equation outside of any paragraph. */
  isImplied?: boolean
  /** Text boxes and tables that are anchored in the paragraph; they are put after it. */
  after: StoryBlock[]
  /** The paragraph that contains this one, for a text box. */
  outer: Paragraph | undefined
}

/** What blocks are added to: the story itself, or a table cell. */
type Frame = { blocks: StoryBlock[]; paragraph: Paragraph | undefined; span: number; continues: boolean }
type Table = { rows: StoryBlock[][][]; row: StoryBlock[][]; isDeleted: boolean; inRowProperties: boolean }

/**
 * Collects the blocks of a story, Word's term for a body, header, footer, text box or note (ECMA-376 part 1, 17.2 to
 * 17.4, 17.13.5, 22.1). Pass `rules` to the package to read a part; `take` returns the result. Tracked changes are
 * read as accepted: insertions are kept, deletions are left out.
 */
export class DocxStory {
  readonly #source: OfficePackage
  readonly #styles: DocxStyles
  readonly #lists: DocxLists
  #frames: Frame[] = [emptyFrame()]
  readonly #tables: Table[] = []
  /** How many elements with properties of runs are open. */
  #runProperties = 0

  constructor(source: OfficePackage, styles: DocxStyles, lists: DocxLists) {
    this.#source = source
    this.#styles = styles
    this.#lists = lists
  }

  /** The blocks since the last call. */
  take(): StoryBlock[] {
    const { blocks } = this.#frame
    this.#frames = [emptyFrame()]
    return blocks
  }

  readonly rules: ElementRules = {
    p: { open: () => this.#beginParagraph(), close: () => this.#endParagraph() },
    pStyle: { open: (attributes) => this.#set({ style: attribute(attributes, 'val') ?? '' }) },
    outlineLvl: { open: (attributes) => this.#set({ outline: Number(attribute(attributes, 'val')) }) },
    numId: { open: (attributes) => this.#setList({ id: attribute(attributes, 'val') ?? '0' }) },
    ilvl: { open: (attributes) => this.#setList({ level: Number(attribute(attributes, 'val')) }) },

    t: { text: (text) => this.#write(text) },
    tab: { open: () => this.#write('\t') },
    ptab: { open: () => this.#write('\t') },
    br: { open: () => this.#write('\n') },
    cr: { open: () => this.#write('\n') },
    noBreakHyphen: { open: () => this.#write('\u2011') },
    sym: { open: (attributes) => this.#write(symbol(attribute(attributes, 'char'))) },
    footnoteReference: { open: (attributes) => this.#write(`[^${attribute(attributes, 'id')}]`) },
    endnoteReference: { open: (attributes) => this.#write(`[^e${attribute(attributes, 'id')}]`) },
    commentReference: { open: (attributes) => this.#write(`[^c${attribute(attributes, 'id')}]`) },
    oMathPara: { open: () => this.#breakLine(), close: () => this.#breakLine() },
    oMath: { open: () => this.#beginMath(), close: () => this.#endMath() },
    ...mathRules(() => this.#frame.paragraph?.math),

    tbl: { open: () => this.#beginTable(), close: () => this.#endTable() },
    tr: { open: () => this.#beginRow(), close: () => this.#endRow() },
    trPr: { open: () => this.#inRowProperties(true), close: () => this.#inRowProperties(false) },
    gridBefore: { open: (attributes) => this.#skipColumns(spanOf(attribute(attributes, 'val'))) },
    tc: { open: () => this.#frames.push(emptyFrame()), close: () => this.#endCell() },
    gridSpan: { open: (attributes) => (this.#frame.span = spanOf(attribute(attributes, 'val'))) },
    vMerge: { open: (attributes) => (this.#frame.continues = attribute(attributes, 'val') !== 'restart') },

    del: { open: () => this.#delete() },
    rPr: { open: () => this.#runProperties++, close: () => this.#runProperties-- },
    // its text is read where it was moved to
    moveFrom: SKIP_ELEMENT,
    // formatting before a tracked change
    pPrChange: SKIP_ELEMENT,
    tcPrChange: SKIP_ELEMENT,
    trPrChange: SKIP_ELEMENT,
    // tab stops; their element has the name of a tab between words
    tabs: SKIP_ELEMENT,
    // phonetic reading (ruby) above a Chinese or Japanese word
    rt: SKIP_ELEMENT,
    altChunk: {
      open: () => {
        this.#source.note('a document inside the document was not read')
        this.#source.drop('attachment')
      },
    },
    pic: { open: () => this.#source.drop('picture') },
    OLEObject: { open: () => this.#source.drop('attachment') },
  }

  get #frame(): Frame {
    return this.#frames.at(-1)!
  }

  #write(text: string): void {
    const { paragraph } = this.#frame
    if (!paragraph) return
    this.#source.countText(text.length)
    if (paragraph.math) paragraph.math.write(text)
    else paragraph.text += text
  }

  /** An equation may be outside of any paragraph. */
  #beginMath(): void {
    const { paragraph } = this.#frame
    if (paragraph?.math) paragraph.math.open('box')
    else {
      if (!paragraph) this.#beginParagraph()
      else if (paragraph.endsWithMath === paragraph.text) this.#breakLine()
      this.#set({ math: new MathText(), isImplied: !paragraph })
    }
  }

  #endMath(): void {
    const { paragraph } = this.#frame
    if (!paragraph?.math) return
    if (paragraph.math.depth > 0) {
      paragraph.math.close()
      return
    }
    const { text } = paragraph.math
    delete paragraph.math
    this.#write(text)
    paragraph.endsWithMath = paragraph.text
    if (paragraph.isImplied) this.#endParagraph()
  }

  #breakLine(): void {
    const text = this.#frame.paragraph?.text ?? ''
    if (text !== '' && !text.endsWith('\n')) this.#write('\n')
  }

  /** Adds a block at the current position: after the open paragraph, or in the open cell. */
  put(block: StoryBlock): void {
    const { paragraph, blocks } = this.#frame
    const place = paragraph?.after ?? blocks
    place.push(block)
  }

  #set(properties: Partial<Paragraph>): void {
    if (this.#frame.paragraph) Object.assign(this.#frame.paragraph, properties)
  }

  #setList(place: Partial<ListPosition>): void {
    this.#set({ list: { ...this.#frame.paragraph?.list, ...place } })
  }

  #beginParagraph(): void {
    this.#frame.paragraph = { text: '', after: [], outer: this.#frame.paragraph }
  }

  #endParagraph(): void {
    const paragraph = this.#frame.paragraph
    if (!paragraph) return
    this.#frame.paragraph = paragraph.outer
    const text = this.#textOf(paragraph)
    if (text !== '') this.put(text)
    for (const block of paragraph.after) this.put(block)
  }

  #textOf(paragraph: Paragraph): string {
    const { style, outline, list } = paragraph
    const place = list?.id === undefined ? this.#styles.list(style) : { level: 0, ...list, id: list.id }
    // an empty item counts too: Word shows its number
    const marker = place ? this.#lists.nextMarker(place) : ''
    const text = paragraph.text.trim()
    if (text === '') return ''
    this.#source.countText(marker.length + 2)
    const heading = outline === undefined ? this.#styles.heading(style) : headingOf(outline)
    if (heading !== undefined) {
      const number = marker === '' || marker === '-' ? '' : `${marker} `
      return `${'#'.repeat(Math.min(6, heading))} ${number}${oneLine(text)}`
    }
    return place && marker !== '' ? `${'  '.repeat(indentOf(place.level))}${marker} ${text}` : text
  }

  #beginTable(): void {
    this.#tables.push({ rows: [], row: [], isDeleted: false, inRowProperties: false })
  }

  #endTable(): void {
    const rows = this.#tables.pop()?.rows ?? []
    const isSingleCell = rows.length === 1 && rows[0]!.length === 1
    if (isSingleCell) for (const block of rows[0]![0]!) this.put(block)
    else if (rows.length > 0) this.put(rows)
  }

  #beginRow(): void {
    const table = this.#tables.at(-1)
    if (table) Object.assign(table, { row: [], isDeleted: false })
  }

  #endRow(): void {
    const table = this.#tables.at(-1)
    if (table && table.row.length > 0 && !table.isDeleted) table.rows.push(table.row)
  }

  #inRowProperties(inRowProperties: boolean): void {
    const table = this.#tables.at(-1)
    if (table) table.inRowProperties = inRowProperties
  }

  #endCell(): void {
    const { blocks, span, continues } = this.#frames.pop()!
    this.#tables.at(-1)?.row.push(continues ? [] : blocks)
    this.#skipColumns(span - 1)
  }

  #skipColumns(count: number): void {
    this.#source.countText(3 * (count + 1))
    const row = this.#tables.at(-1)?.row
    for (let column = 0; column < count; column++) row?.push([])
  }

  /** `del` surrounds deleted runs, or marks in the properties of a row that the whole row is deleted. */
  #delete(): typeof SKIP {
    const table = this.#tables.at(-1)
    if (table?.inRowProperties) table.isDeleted = true
    // in the properties of a run it marks the end of a paragraph, which has no text
    if (this.#runProperties === 0) this.#source.drop('deletedText')
    return SKIP
  }
}

/**
 * Rules for the elements of equations. Outside of an equation the same names mean something else: there they do
 * nothing.
 */
function mathRules(math: () => MathText | undefined): ElementRules {
  const element = (name: string) => ({ open: () => math()?.open(name), close: () => math()?.close() })
  const option = (name: string) => ({
    open: (attributes: XmlAttributes) => math()?.option(name, attribute(attributes, 'val') ?? ''),
  })
  return Object.fromEntries([
    ...[...MATH_STRUCTURES, ...MATH_ARGUMENTS].map((name) => [name, element(name)]),
    ...MATH_OPTIONS.map((name) => [name, option(name)]),
  ])
}

const emptyFrame = (): Frame => ({ blocks: [], paragraph: undefined, span: 1, continues: false })

const headingOf = (outline: number): number | undefined =>
  outline >= 0 && outline < 9 ? outline + 1 : undefined

const indentOf = (level: number): number => Math.min(8, Math.max(0, Math.trunc(level) || 0))

/** Word's tables have 63 columns at most. */
const spanOf = (value: string | undefined): number =>
  Math.min(63, Math.max(1, Math.trunc(Number(value)) || 1))

/** A character of a symbol font. In the private use area its meaning depends on the font; mostly it is a bullet. */
function symbol(hex: string | undefined): string {
  const code = Number.parseInt(hex ?? '', 16)
  if (!(code >= 0x20 && code < 0xd800) && !(code >= 0xe000 && code <= 0xfffd)) return ''
  return code >= 0xe000 && code < 0xf900 ? '\u2022' : String.fromCharCode(code)
}
