import type { PdfLine } from './pdf-lines.ts'

/**
 * Joins the lines of a page to markdown: lines of a paragraph are joined, words hyphenated at a line end are made
 * whole, larger type becomes a heading, and texts side by side are separated by tabs. Paragraphs are recognised by
 * the distance of lines, by an indent after a full stop, and by bullets.
 *
 * @param bodySize font size of most of the document's text, in points
 */
export function pageText(lines: readonly PdfLine[], bodySize: number): string {
  const leading = usualLeading(lines) ?? bodySize * 1.2
  const blocks: Block[] = []
  let previous: PdfLine | undefined
  for (const line of lines) {
    const level = headingLevel(line, bodySize)
    const block = blocks.at(-1)
    if (block && previous && block.level === level && continues(previous, line, leading)) {
      block.join(line.text, separatorOf(previous, line))
    } else blocks.push(new Block(level, line.text))
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

  join(text: string, separator: string): void {
    const last = this.#lines.at(-1)!
    const next = text.trim()
    if (separator !== ' ') this.#lines.push(separator, next)
    else if (CUT_WORD.test(last) && /^\p{Ll}/u.test(next)) this.#lines.splice(-1, 1, last.slice(0, -1), next)
    else if (COMPOUND.test(last) || (ENDS_IDEOGRAPHIC.test(last) && IDEOGRAPHIC.test(next)))
      this.#lines.push(next)
    else this.#lines.push(' ', next)
  }

  toString(): string {
    const text = this.#lines.join('')
    return this.level === 0 ? text : `${'#'.repeat(this.level)} ${text}`
  }
}

/** A word that continues in the next line, by a hyphen, U+2010 or a soft hyphen. */
const CUT_WORD = /\p{L}[-\u2010\u00ad]$/u

/** A line that ends inside Baden-Baden or 2019-2021. */
const COMPOUND = /[\p{L}\d]-$/u

/** Kana and Han are written without spaces. */
const IDEOGRAPHIC = /^[\u3040-\u30ff\u3400-\u9fff]/
const ENDS_IDEOGRAPHIC = /[\u3040-\u30ff\u3400-\u9fff]$/

const BULLET = /^\s*([•‣▪●◦–-]|\(?\d{1,3}[.)]|[a-z][.)])\s/

const SENTENCE_END = /[.!?:]["')\]]?\s*$/

/** Whether a line belongs to the paragraph of the one before it. */
function continues(previous: PdfLine, line: PdfLine, leading: number): boolean {
  const gap = previous.y - line.y
  if (gap > leading * 1.35 || gap < previous.height * -0.5) return false
  if (BULLET.test(line.text) || previous.isRunning !== line.isRunning) return false
  const indented = line.x - previous.x > line.height * 0.9 && gap > 0
  return !(indented && SENTENCE_END.test(previous.text))
}

/**
 * A tab between texts side by side; a line break between rows of a table, whose last cell may continue below; else a
 * space.
 */
function separatorOf(previous: PdfLine, line: PdfLine): string {
  if (Math.abs(previous.y - line.y) <= line.height * 0.3) return '\t'
  return line.cells || (previous.cells && line.x < previous.cells[1]!) ? '\n' : ' '
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
    const gap = index === 0 ? 0 : lines[index - 1]!.y - line.y
    if (gap > 0 && gap < line.height * 3) gaps.push(gap)
  }
  return gaps.sort((a, b) => a - b)[gaps.length >> 1]
}
