import iconv from 'iconv-lite'

/** The usual code page of Windows, where a file names none or one that is unknown. */
export const WESTERN = 1252

/** Decodes bytes in a code page of Windows, by its number; `WESTERN` in place of an unknown one. */
export function decodeCodePage(bytes: Uint8Array, codePage: number): string {
  const name = NAMES[codePage] ?? `cp${codePage}`
  return iconv.decode(Buffer.from(bytes), iconv.encodingExists(name) ? name : `cp${WESTERN}`)
}

const NAMES: Readonly<Record<number, string | undefined>> = {
  1200: 'utf-16le',
  10000: 'macroman',
  10007: 'maccyrillic',
  20866: 'koi8-r',
  28591: 'iso-8859-1',
  32768: 'macroman',
  32769: 'cp1252',
  65001: 'utf-8',
}

/** The code page of a Windows character set, as fonts name it; undefined for symbols and for that of the document. */
export const codePageOfCharset = (charset: number): number | undefined => CHARSETS[charset]

const CHARSETS: Readonly<Record<number, number | undefined>> = {
  77: 10000,
  128: 932,
  129: 949,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
  254: 437,
  255: 850,
}

/** The character set of fonts whose letters are pictures. */
export const SYMBOL_CHARSET = 2
