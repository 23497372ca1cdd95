import type { TextContent, TextItem } from 'pdfjs-dist/types/src/display/api.d.ts'

/** Letters of a font by the width of one, in steps of the font size; and texts that were measured. */
type Widths = { letters: number; byWidth: Map<number, number>; texts: Set<string> }

/** Widths are counted in steps of this, in font sizes. */
const STEP = 0.005

/** With fewer letters or fewer different words a font is not judged by measure. */
const MIN_LETTERS = 20
const MIN_TEXTS = 4

/** Share of the letters that must have one width, within `tolerance` steps on each side. */
const MEASURED = { share: 0.92, tolerance: 1 }
/** In a font that is marked as fixed-width, a listing may spread its letters a little. */
const MARKED = { share: 0.6, tolerance: 12 }

/** A wider or narrower letter is not one of a typewriter font, in font sizes. */
const MIN_WIDTH = 0.3
const MAX_WIDTH = 0.8

/** A word of Latin letters: other scripts, and digits in any font, are as wide as each other. */
const WORD = /^[A-Za-z]{3,}$/
/** Text that is measured in a marked font. */
const isLatin = (text: string): boolean => /^[\x20-\x7e]*$/.test(text) && /[A-Za-z]{3}/.test(text)

/**
 * Finds fonts whose letters all have one width. Many files do not mark them, so the words of a font are measured; a
 * font that is marked counts if its words do not contradict it.
 */
export class FixedWidthFonts {
  readonly #fonts = new Map<string, Widths>()

  /** Measures the words of a page. */
  measure({ items, styles }: TextContent): void {
    for (const item of items)
      if ('str' in item && (isMarked(item.fontName, styles) ? isLatin(item.str) : WORD.test(item.str)))
        this.#add(item)
  }

  /** The width of a letter in font sizes; undefined if the letters differ, or if it is not known. */
  widthOf(font: string, { styles }: TextContent): number | undefined {
    const widths = this.#fonts.get(font)
    if (!widths) return undefined
    const marked = isMarked(font, styles)
    const isEnough = widths.letters >= MIN_LETTERS && widths.texts.size >= MIN_TEXTS
    if (!marked && !isEnough) return undefined
    const { share, tolerance } = marked ? MARKED : MEASURED
    const [usual, count] = usualWidth(widths, tolerance)
    const width = usual * STEP
    return count >= widths.letters * share && width > MIN_WIDTH && width < MAX_WIDTH ? width : undefined
  }

  #add({ str, fontName, width, transform }: TextItem): void {
    const [, , c, d] = transform as number[]
    const one = width / str.length / Math.hypot(c!, d!)
    if (!(one > 0 && one < 2)) return
    const widths = this.#fonts.get(fontName) ?? { letters: 0, byWidth: new Map(), texts: new Set() }
    this.#fonts.set(fontName, widths)
    const step = Math.round(one / STEP)
    widths.letters += str.length
    widths.byWidth.set(step, (widths.byWidth.get(step) ?? 0) + str.length)
    if (widths.texts.size < MIN_TEXTS) widths.texts.add(str)
  }
}

const isMarked = (font: string, styles: TextContent['styles']): boolean =>
  styles[font]?.fontFamily === 'monospace'

/** The most frequent width in steps, and how many letters have it. */
function usualWidth({ byWidth }: Widths, tolerance: number): [width: number, letters: number] {
  let usual = 0
  for (const [width, letters] of byWidth) if (letters > (byWidth.get(usual) ?? 0)) usual = width
  let count = 0
  for (const [width, letters] of byWidth) if (Math.abs(width - usual) <= tolerance) count += letters
  return [usual, count]
}
