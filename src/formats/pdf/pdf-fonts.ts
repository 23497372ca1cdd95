import type { TextContent, TextItem } from 'pdfjs-dist/types/src/display/api.d.ts'

/** Character counts of the text in one font. */
type Counts = { all: number; strange: number; spaces: number; shifted: number }

/** With fewer characters a font is not judged. */
const MIN_CHARACTERS = 20

/** Control characters, private use, unassigned: what a glyph number becomes where a font has no map to Unicode. */
const STRANGE = /[\p{Cc}\p{Co}\p{Cn}\ufffd]/gu

/** In the order of glyphs of most TrueType fonts, the space is glyph 3 and the rest follows as in ASCII. */
const SHIFT = 29
const SPACE = 3

/**
 * Finds fonts without a map to Unicode: their text is a sequence of glyph numbers. If the glyphs are in the usual
 * order of TrueType fonts, the text is repaired; otherwise it stays as it is, and the page is recorded.
 */
export class UnmappedFonts {
  /** Pages of which a tenth or more is text that could not be repaired. */
  readonly pages: number[] = []
  readonly #fonts = new Map<string, Counts>()

  /** The content of a page with its text repaired. */
  read(content: TextContent, pageNumber: number): TextContent {
    const items = content.items.filter((item) => 'str' in item)
    for (const item of items) this.#count(item)
    let [all, lost] = [0, 0]
    for (const item of items) {
      all += item.str.length
      const verdict = this.#verdict(item.fontName)
      if (verdict === 'lost') lost += item.str.length
      if (verdict === 'shifted') item.str = unshifted(item.str)
    }
    if (lost >= MIN_CHARACTERS && lost >= all / 10) this.pages.push(pageNumber)
    return content
  }

  #count({ fontName, str }: TextItem): void {
    const counts = this.#fonts.get(fontName) ?? { all: 0, strange: 0, spaces: 0, shifted: 0 }
    this.#fonts.set(fontName, counts)
    const text = str.replaceAll(' ', '')
    counts.all += text.length
    counts.strange += text.match(STRANGE)?.length ?? 0
    for (let index = 0; index < text.length; index++) {
      const glyph = text.charCodeAt(index)
      if (glyph === SPACE) counts.spaces++
      counts.shifted += USUAL[glyph] ?? 0
    }
  }

  #verdict(font: string): 'sound' | 'lost' | 'shifted' {
    const { all, strange, spaces, shifted } = this.#fonts.get(font)!
    if (all < MIN_CHARACTERS) return 'sound'
    if (spaces >= all * 0.05 && shifted >= all * 0.85) return 'shifted'
    return strange >= all * 0.3 ? 'lost' : 'sound'
  }
}

/** 1 for the glyphs that most of any text consists of: letters, digits, spaces and the marks between words. */
const USUAL = Uint8Array.from({ length: 0x7f - SHIFT }, (_, glyph) =>
  glyph >= SPACE && /[\w ,.-]/.test(String.fromCharCode(glyph + SHIFT)) ? 1 : 0,
)

/** The text of glyph numbers; spaces were set by pdf.js already. */
function unshifted(text: string): string {
  return Array.from(text, (glyph) => {
    const code = glyph.codePointAt(0)!
    return code < SPACE || code >= USUAL.length || glyph === ' ' ? glyph : String.fromCharCode(code + SHIFT)
  }).join('')
}
