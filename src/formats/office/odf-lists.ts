import { listNumber } from '../list-number.ts'
import { attribute, type XmlAttributes } from '../xml.ts'

/** How a level of a list or of headings is numbered. */
export type OdfListLevel = {
  isBullet: boolean
  format: string
  start: number
  /** The text of the number; `%2%` is that of the second level. */
  pattern: string
}

/** Reads the attributes of a list level (OpenDocument 1.3 part 3, 16.31 to 16.35). */
export function readListLevel(attributes: XmlAttributes, isBullet: boolean): OdfListLevel {
  const level = Math.trunc(Number(attribute(attributes, 'level'))) || 1
  const shown = Math.min(level, Math.max(1, Math.trunc(Number(attribute(attributes, 'display-levels'))) || 1))
  const numbers = Array.from({ length: shown }, (_, index) => `%${level - shown + 1 + index}%`)
  const affix = (name: string) => attribute(attributes, name) ?? ''
  const usual = `${affix('num-prefix')}${numbers.join('.')}${affix('num-suffix')}`
  return {
    isBullet,
    format: FORMATS[attribute(attributes, 'num-format') ?? ''] ?? '',
    start: Math.trunc(Number(attribute(attributes, 'start-value') ?? 1)) || 0,
    pattern: (attribute(attributes, 'num-list-format') ?? usual).slice(0, MAX_MARKER),
  }
}

const FORMATS: Readonly<Record<string, string | undefined>> = {
  1: 'decimal',
  '01': 'decimalZero',
  a: 'lowerLetter',
  A: 'upperLetter',
  i: 'lowerRoman',
  I: 'upperRoman',
}

/** In characters. Only a hostile file has longer ones, to make a small file give a large text. */
const MAX_MARKER = 100

/** The levels of one list with their counts, which lists that continue it share. */
export class OdfNumbering {
  readonly #levels: readonly (OdfListLevel | undefined)[]
  readonly #counts: (number | undefined)[] = []

  constructor(levels: readonly (OdfListLevel | undefined)[]) {
    this.#levels = levels
  }

  /** The marker of the next item: `-`, `7.`, `2.1`; empty if the list shows none. @param level from 1 */
  next(level: number, start: number | undefined): string {
    const found = this.#levels[level]
    if (!found || found.isBullet) return '-'
    this.#counts[level] = start ?? (this.#counts[level] ?? found.start - 1) + 1
    this.#counts.length = level + 1
    if (found.format === '') return ''
    return found.pattern
      .replace(/%(\d+)%/g, (_, digits: string) => {
        const shown = this.#levels[Number(digits)]
        if (!shown || shown.format === '') return ''
        return listNumber(this.#counts[Number(digits)] ?? shown.start, shown.format)
      })
      .trim()
  }
}
