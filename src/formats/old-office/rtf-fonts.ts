import { codePageOfCharset, decodeCodePage, SYMBOL_CHARSET, WESTERN } from './code-pages.ts'

type Font = { codePage: number | undefined; isSymbol: boolean }

/** The fonts of a rich text, which say in which code page its bytes are. */
export class RtfFonts {
  /** The font of text that names none. */
  standard = -1
  #codePage: number = WESTERN
  readonly #fonts = new Map<number, Font>()

  /** A control word of the document about its characters. */
  documentWord(word: string, value: number | undefined): void {
    if (word === 'ansicpg') this.#codePage = value ?? WESTERN
    else if (word === 'deff') this.standard = value ?? 0
    else if (word === 'mac') this.#codePage = 10000
    else if (word === 'pc') this.#codePage = 437
    else if (word === 'pca') this.#codePage = 850
  }

  /** A control word in the table of fonts. @param font the font that is being defined */
  tableWord(font: number, word: string, value = 0): void {
    if (word === 'f') this.#fonts.set(font, { codePage: undefined, isSymbol: false })
    const known = this.#fonts.get(font)
    if (!known) return
    if (word === 'fcharset') {
      known.codePage = codePageOfCharset(value)
      known.isSymbol = value === SYMBOL_CHARSET
    } else if (word === 'cpg') known.codePage = value
  }

  decode(bytes: Uint8Array, font: number): string {
    const known = this.#fonts.get(font)
    return known?.isSymbol ? symbols(bytes) : decodeCodePage(bytes, known?.codePage ?? this.#codePage)
  }
}

/** Letters of a symbol font; what they mean depends on the font, mostly a bullet. */
const symbols = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => (byte < 0x21 ? ' ' : '\u2022')).join('')

/** A signed number of 16 bits as a character; in the private use area it is a letter of a symbol font. */
export function rtfUnicode(value: number): string {
  const code = value & 0xffff
  return code >= 0xe000 && code < 0xf900 ? '\u2022' : String.fromCharCode(code)
}
