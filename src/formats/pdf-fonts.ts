import type { TextContent, TextItem } from 'pdfjs-dist/types/src/display/api.d.ts'

/** What is known of the text of one font: how many characters it has, and of which kinds. */
type Counts = { all: number; strange: number; spaces: number; shifted: number }

/** Fewer characters than this say nothing about a font. */
const ENOUGH = 20

/** Control characters, private use, unassigned: what a glyph number becomes where a font has no map to Unicode. */
const STRANGE = /[\p{Cc}\p{Co}\p{Cn}\ufffd]/gu

/** In the order of glyphs of most TrueType fonts, the space is glyph 3 and the rest follows as in ASCII. */
const SHIFT = 29
const SPACE = 3

/**
 * Finds fonts without a map to Unicode, whose text is then a row of glyph numbers. Where these are in the usual order
 * of TrueType fonts, the text is mended; elsewhere it stays as it is and its page is remembered.
 */
export class UnmappedFonts {
  /** Pages of which a tenth or more is text that could not be mended. */
  readonly pages: number[] = []
  readonly #fonts = new Map<string, Counts>()

  /** The content of a page with its text mended. */
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
    if (lost >= ENOUGH && lost >= all / 10) this.pages.push(pageNumber)
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
    if (all < ENOUGH) return 'sound'
    if (spaces >= all * 0.05 && shifted >= all * 0.85) return 'shifted'
    return strange >= all * 0.3 ? 'lost' : 'sound'
  }
}

/** 1 for the glyphs of what most of any text consists of: words, spaces, and the marks between them. */
const USUAL = Uint8Array.from({ length: 0x7f - SHIFT }, (_, glyph) =>
  glyph >= SPACE && /[\w ,.-]/.test(String.fromCharCode(glyph + SHIFT)) ? 1 : 0,
)

/** The text that glyph numbers stand for; pdf.js itself has set the spaces. */
function unshifted(text: string): string {
  return Array.from(text, (glyph) => {
    const code = glyph.codePointAt(0)!
    return code < SPACE || code >= USUAL.length || glyph === ' ' ? glyph : String.fromCharCode(code + SHIFT)
  }).join('')
}
