import type { PdfLine } from './pdf-line-text.ts'

/** Lines of fixed-width type that follow one another belong together up to this distance, in heights. */
const MAX_DISTANCE = 4

/** Paragraphs have this many lines or more, and most of them are filled up to their right edge. */
const MIN_PROSE_LINES = 3
const FILLED_SHARE = 0.75

/** Fewer lines are running text if they are a sentence of this many words. */
const MIN_SENTENCE = 5

/** The share of plain words in running text: no signs in them, and not more than one capital letter. */
const MIN_WORDS = 0.75

/** Lines before and after a line that show where the right edge of the text is. */
const LINES_AROUND = 40

/** Blank lines that are kept between two lines. */
const MAX_BLANK = 2

/**
 * Which lines of a page are listings, terminal output and other text whose lines must stay lines, as groups by the
 * index of their first line. Fixed-width type is not enough: a book may be typeset in it, and a long name may fill a
 * line of a paragraph.
 */
export function codeGroups(lines: readonly PdfLine[]): Map<number, readonly PdfLine[]> {
  const groups = new Map<number, readonly PdfLine[]>()
  if (!lines.some(isFixed)) return groups
  for (let start = 0; start < lines.length; ) {
    let end = start
    while (end < lines.length && isFixed(lines[end]!) && (end === start || follows(lines, end))) end++
    if (end === start) end++
    else {
      const group = lines.slice(start, end)
      if (hasWords(group) && !isInParagraph(lines, start, end) && !isProse(group)) groups.set(start, group)
    }
    start = end
  }
  return groups
}

/** A group as a fenced block of markdown, its lines indented as on the page. */
export function fencedCode(group: readonly PdfLine[]): string {
  const left = group.reduce((least, { x }) => Math.min(least, x), Infinity)
  const leading = group.reduce(
    (least, line, index) => Math.min(least, distance(group[index - 1], line)),
    Infinity,
  )
  const texts = group.flatMap((line, index) => {
    const indentation = Math.round((line.x - left) / line.letterWidth!)
    const blank = index === 0 ? 0 : Math.round(distance(group[index - 1], line) / leading) - 1
    const before = Array.from({ length: Math.min(blank, MAX_BLANK) }, () => '')
    return [...before, ' '.repeat(indentation) + line.text]
  })
  return ['```', ...texts, '```'].join('\n')
}

const distance = (above: PdfLine | undefined, line: PdfLine): number => (above ? above.y - line.y : Infinity)

const isFixed = ({ letterWidth, isRunning }: PdfLine): boolean => letterWidth !== undefined && !isRunning

/** Whether a line is below the one before it, in the same column and type. */
function follows(lines: readonly PdfLine[], index: number): boolean {
  const [above, line] = [lines[index - 1]!, lines[index]!]
  const gap = above.y - line.y
  return (
    gap > 0 &&
    gap < line.height * MAX_DISTANCE &&
    Math.abs(above.height - line.height) < line.height * 0.1 &&
    line.x < above.right + line.height * 4 &&
    above.x < line.right + line.height * 4
  )
}

/**
 * Whether one or two lines are part of a paragraph or of a line of other type: they are close below a line that is
 * filled up to the right edge of the text.
 */
function isInParagraph(lines: readonly PdfLine[], start: number, end: number): boolean {
  if (end - start > 2) return false
  const [above, first, below] = [lines[start - 1], lines[start]!, lines[end]]
  if ([above, below].some((other) => other && Math.abs(other.y - first.y) < first.height * 0.3)) return true
  if (!above || above.letterWidth !== undefined || !isClose(above, first)) return false
  const edge = lines
    .slice(Math.max(0, start - LINES_AROUND), end + LINES_AROUND)
    .reduce((most, { x, right }) => (isSameEdge(x, above) ? Math.max(most, right) : most), 0)
  return above.right + (firstWord(first).length + 1) * first.letterWidth! > edge
}

const isClose = (above: PdfLine, line: PdfLine): boolean =>
  above.y > line.y && above.y - line.y < line.height * 1.6 && isSameEdge(line.x, above)

const isSameEdge = (x: number, { x: left, height }: PdfLine): boolean => Math.abs(x - left) < height

/** Whether lines consist of words, and are broken where the next one has no place; or are one sentence. */
function isProse(group: readonly PdfLine[]): boolean {
  const words = group.flatMap(({ text }) => text.trim().split(/\s+/))
  const plain = words.filter((word) => /^\p{L}\p{Ll}*[.,;:]?$/u.test(word))
  if (plain.length < words.length * MIN_WORDS) return false
  if (group.length < MIN_PROSE_LINES)
    return plain.length >= MIN_SENTENCE && /^\p{Lu}.*[.!?:]$/u.test(words.join(' '))
  const edge = group.reduce((most, { right }) => Math.max(most, right), 0)
  const filled = group.filter((line, index) => {
    const next = group[index + 1]
    return next && line.right + (firstWord(next).length + 1) * line.letterWidth! > edge
  })
  return filled.length >= (group.length - 1) * FILLED_SHARE
}

/** Not so the number of a footnote. */
const hasWords = (group: readonly PdfLine[]): boolean => group.some(({ text }) => /\p{L}{2}/u.test(text))

const firstWord = ({ text }: PdfLine): string => /\S+/.exec(text)?.[0] ?? ''
