import { codeGroups, fencedCode } from './pdf-code.ts'
import { canBeHeading } from './pdf-headings.ts'
import type { LineEndHyphens } from './pdf-hyphens.ts'
import { CELL_BREAK, type PdfLine } from './pdf-line-text.ts'

/**
 * Joins the lines of a page to markdown: lines of a paragraph are joined, words hyphenated at a line end are made
 * whole, larger type becomes a heading, texts side by side are separated by tabs, and lines of code stay lines in a
 * fenced block. Paragraphs are recognised by the distance of lines, by an indent after a full stop, and by bullets.
 *
 * @param bodySize font size of most of the document's text, in points
 */
export function pageText(lines: readonly PdfLine[], bodySize: number, hyphens: LineEndHyphens): string {
  const leading = usualLeading(lines) ?? bodySize * 1.2
  const code = codeGroups(lines)
  const blocks: (Block | string)[] = []
  let previous: PdfLine | undefined
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!
    const group = code.get(index)
    if (group) {
      blocks.push(fencedCode(group))
      index += group.length - 1
      previous = undefined
      continue
    }
    const level = headingLevel(line, bodySize)
    const block = blocks.at(-1)
    const goesOn = level === 0 ? continues : continuesHeading
    const isOpen = block instanceof Block && block.level === level
    if (isOpen && previous && goesOn(previous, line, leading)) {
      block.join(wholeCells(line.text, hyphens), separatorOf(previous, line), hyphens)
    } else blocks.push(new Block(level, wholeCells(line.text, hyphens)))
    previous = line
  }
  return blocks.map(String).join('\n\n')
}

/** Adds the characters of the lines to `sizes`: their count by font size, rounded to half points. */
export function countFontSizes(lines: readonly PdfLine[], sizes: Map<number, number>): void {
  for (const { text, height } of lines) {
    const size = Math.round(height * 2) / 2
    sizes.set(size, (sizes.get(size) ?? 0) + text.length)
  }
}

/** The font size of most characters, in points. */
export function bodyFontSize(sizes: ReadonlyMap<number, number>): number {
  let usual: [size: number, count: number] = [0, 0]
  for (const entry of sizes) if (entry[1] > usual[1]) usual = entry
  return usual[0]
}

/** A heading or a paragraph that is built from lines. */
class Block {
  readonly level: number
  readonly #lines: string[]

  constructor(level: number, first: string) {
    this.level = level
    this.#lines = [first.trim()]
  }

  join(text: string, separator: string, hyphens: LineEndHyphens): void {
    const last = this.#lines.at(-1)!
    const next = text.trim()
    if (separator !== ' ') this.#lines.push(separator, next)
    else this.#lines.splice(-1, 1, ...wrapped(last, next, hyphens))
  }

  toString(): string {
    const text = this.#lines.join('')
    return this.level > 0 && canBeHeading(text) ? `${'#'.repeat(this.level)} ${text}` : text
  }
}

/** The end of a line and the beginning of the next, as the pieces of one text. */
function wrapped(last: string, next: string, hyphens: LineEndHyphens): string[] {
  if (last.endsWith(SOFT_HYPHEN)) return [last.slice(0, -1), next]
  if (HYPHENED.test(last) && /^\p{L}/u.test(next)) {
    const hyphen = hyphens.judge(last, next)
    return hyphen === 'cut'
      ? [last.slice(0, -1), next]
      : hyphen === 'apart'
        ? [last, ' ', next]
        : [last, next]
  }
  const isOneWord = COMPOUND.test(last) || (ENDS_IDEOGRAPHIC.test(last) && IDEOGRAPHIC.test(next))
  return isOneWord ? [last, next] : [last, ' ', next]
}

/** The text of a row with the lines of each cell joined. */
function wholeCells(text: string, hyphens: LineEndHyphens): string {
  if (!text.includes(CELL_BREAK)) return text
  return text.split(CELL_BREAK).reduce((before, next) => wrapped(before, next, hyphens).join(''))
}

const SOFT_HYPHEN = '\u00ad'

/** A word that may continue in the next line. */
const HYPHENED = /\p{L}[-\u2010]$/u

/** A line that ends inside Baden-Baden or 2019-2021. */
const COMPOUND = /[\p{L}\d]-$/u

/** Kana and Han are written without spaces. */
const IDEOGRAPHIC = /^[\u3040-\u30ff\u3400-\u9fff]/
const ENDS_IDEOGRAPHIC = /[\u3040-\u30ff\u3400-\u9fff]$/

const BULLET = /^\s*([•‣▪●◦–-]|\(?\d{1,3}[.)]|[a-z][.)])\s/

/** The number of a section: no heading goes on with one. */
const SECTION = /^\s*\d+(?:\.\d+)+\.?\s/

const SENTENCE_END = /[.!?:]["')\]]?\s*$/

/** Whether a line belongs to the paragraph of the one before it. */
function continues(previous: PdfLine, line: PdfLine, leading: number): boolean {
  if (line.isRow || previous.isRow) return line.isRow === previous.isRow && line.y < previous.y
  const gap = (previous.low ?? previous.y) - line.y
  if (gap > leading * 1.35 || gap < previous.height * -0.5) return false
  if (BULLET.test(line.text) || previous.isRunning !== line.isRunning) return false
  const indented = line.x - previous.x > line.height * 0.9 && gap > 0
  return !(indented && SENTENCE_END.test(previous.text))
}

/** Whether a heading goes on in the next line: also in one that is further away than in a paragraph, if its text does. */
function continuesHeading(previous: PdfLine, line: PdfLine, leading: number): boolean {
  if (SECTION.test(line.text)) return false
  if (continues(previous, line, leading)) return true
  const gap = previous.y - line.y
  const isBelow = gap > 0 && gap < line.height * 1.7 && Math.abs(previous.height - line.height) < 1
  return isBelow && (/[-\u2010,:&–—]\s*$/.test(previous.text) || /^\s*\p{Ll}/u.test(line.text))
}

/**
 * A tab between texts side by side; a line break between rows of a table, whose last cell may continue below; else a
 * space.
 */
function separatorOf(previous: PdfLine, line: PdfLine): string {
  if (Math.abs(previous.y - line.y) <= line.height * 0.3) return '\t'
  return line.cells || line.isRow || (previous.cells && line.x < previous.cells[1]!) ? '\n' : ' '
}

/** 1 to 3 by how much larger a line is than running text; 0 for running text and for rows of three cells or more. */
function headingLevel({ text, height, isRunning, cells }: PdfLine, bodySize: number): number {
  if (isRunning || (cells && cells.length > 2) || text.length >= 200 || height <= bodySize * 1.15) return 0
  return height > bodySize * 1.6 ? 1 : height > bodySize * 1.3 ? 2 : 3
}

/** The median distance of neighbouring lines. */
function usualLeading(lines: readonly PdfLine[]): number | undefined {
  const gaps: number[] = []
  for (const [index, line] of lines.entries()) {
    const above = lines[index - 1]
    const gap = above ? (above.low ?? above.y) - line.y : 0
    if (gap > 0 && gap < line.height * 3) gaps.push(gap)
  }
  return gaps.sort((a, b) => a - b)[gaps.length >> 1]
}
