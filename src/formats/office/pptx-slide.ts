import { listNumber } from '../list-number.ts'
import { markdownTable, oneLine } from '../markdown-table.ts'
import { drawingRules } from './office-drawing.ts'
import type { OfficePackage } from './office-package.ts'

/** The text of a slide as markdown blocks, the title first. */
export type Slide = { blocks: string[]; isHidden: boolean }

type Shape = { role: string; lines: string[]; counts: ListCount[] }
type ListCount = { type: string; number: number } | undefined
type Paragraph = {
  text: string
  level: number
  isBullet: boolean
  numbering?: { type: string; start: number }
}

/**
 * Reads the shapes of a slide or of its notes in file order, including groups, tables, charts and SmartArt (ECMA-376
 * part 1, 19.3 and 21.1). Shapes with a role in `unwanted` repeat facts such as the slide number and are left out.
 *
 * @param page the number of the slide, from 1
 */
export function readSlide(
  source: OfficePackage,
  { part, page }: { part: string; page: number },
  unwanted: ReadonlySet<string>,
): Slide {
  const slide: Slide = { blocks: [], isHidden: false }
  let title = ''
  let shape = newShape()
  let paragraph = newParagraph()
  let rows: string[][] = []
  let row: string[] = []
  let cell: string[] | undefined

  const write = (text: string) => {
    source.countText(text.length)
    paragraph.text += text
  }

  const endParagraph = () => {
    const text = paragraph.text.trim()
    const marker = listMarker(paragraph, shape.counts)
    if (text === '') return
    if (cell) cell.push(text)
    else shape.lines.push(marker + text)
  }

  const endShape = () => {
    const { lines, role } = shape
    if (lines.length === 0) return
    if (unwanted.has(role)) {
      source.drop(role === 'sldNum' ? 'pageNumber' : 'repeatedLine', { page }, lines.length)
      return
    }
    const isTitle = title === '' && (role === 'title' || role === 'ctrTitle')
    if (isTitle) title = `# ${oneLine(lines.join('\n'))}`
    else slide.blocks.push(lines.join('\n'))
  }

  const endCell = () => {
    source.countText(3)
    row.push(cell?.join(' ') ?? '')
    cell = undefined
  }

  source.read(part, {
    sld: { open: ({ show = '' }) => (slide.isHidden = /^(0|false)$/.test(show)) },
    sp: { open: () => (shape = newShape()), close: endShape },
    ph: { open: ({ type = 'body' }) => (shape.role = type) },

    p: { open: () => (paragraph = newParagraph()), close: endParagraph },
    pPr: { open: ({ lvl }) => (paragraph.level = levelOf(lvl)) },
    buChar: { open: () => (paragraph.isBullet = true) },
    buAutoNum: {
      open: ({ type = '', startAt = '1' }) => (paragraph.numbering = { type, start: Number(startAt) }),
    },
    t: { text: write },
    br: { open: () => write('\n') },

    tbl: { open: () => (rows = []), close: () => rows.length > 0 && slide.blocks.push(markdownTable(rows)) },
    tr: { open: () => (row = []), close: () => rows.push(row) },
    tc: { open: () => (cell = []), close: endCell },
    pic: { open: () => source.drop('picture', { page }) },
    oleObj: { open: () => source.drop('attachment', { page }) },
    ...drawingRules(source, part, (block) => slide.blocks.push(block)),
  })
  if (title !== '') slide.blocks.unshift(title)
  return slide
}

const newShape = (): Shape => ({ role: '', lines: [], counts: [] })

const newParagraph = (): Paragraph => ({ text: '', level: 0, isBullet: false })

/**
 * The marker before a paragraph of a list. Bullets that are defined in the slide master are shown only from the
 * second level on.
 */
function listMarker({ level, isBullet, numbering }: Paragraph, counts: ListCount[]): string {
  const before = counts[level]
  counts.length = level
  const indent = '  '.repeat(level)
  if (!numbering) return isBullet || level > 0 ? `${indent}- ` : ''
  const number = before?.type === numbering.type ? before.number + 1 : numbering.start
  counts[level] = { type: numbering.type, number }
  return `${indent}${autoNumber(number, numbering.type)} `
}

/** `alphaLcParenR` is `a)`: a format, then what surrounds it (ECMA-376 part 1, 20.1.10.61). */
function autoNumber(number: number, type: string): string {
  const shown = listNumber(number, FORMATS[type.replace(/(ParenBoth|ParenR|Period|Plain)$/, '')])
  if (type.endsWith('ParenBoth')) return `(${shown})`
  if (type.endsWith('ParenR')) return `${shown})`
  return type.endsWith('Plain') ? shown : `${shown}.`
}

const FORMATS: Readonly<Record<string, string | undefined>> = {
  alphaLc: 'lowerLetter',
  alphaUc: 'upperLetter',
  romanLc: 'lowerRoman',
  romanUc: 'upperRoman',
}

const levelOf = (value: string | undefined): number =>
  Math.min(8, Math.max(0, Math.trunc(Number(value)) || 0))
