import type { DocumentPart } from '../contract/document.ts'

/** The same documents in parts of at most so many UTF-16 code units. Surrogate pairs are not split. */
export function* slicesOf(parts: readonly DocumentPart[], length: number): Generator<DocumentPart> {
  for (const part of parts) {
    const text = part.pageContent
    if (text.length <= length) {
      yield part
      continue
    }
    for (let from = 0; from < text.length; ) {
      let to = Math.min(from + length, text.length)
      if (to < text.length && isHighHalf(text.charCodeAt(to - 1))) to--
      yield { ...part, pageContent: text.slice(from, to), last: part.last && to === text.length }
      from = to
    }
  }
}

const isHighHalf = (unit: number): boolean => unit >>> 10 === 0x36
