import type { DocumentPart, Metadata } from '../contract/document.ts'

/**
 * Splits a part with a long text into parts of at most `length` characters, so that the server never handles much
 * text at once. It cuts after a line break or a space if there is one in the last tenth, and never inside a
 * character. A part with longer metadata is not split: they would be repeated in each part.
 */
export function* smallParts(part: DocumentPart, length: number): Generator<DocumentPart> {
  const { pageContent, metadata, last } = part
  if (pageContent.length <= length || metadataLength(metadata) > length) return yield part
  for (let from = 0; from < pageContent.length; ) {
    const to = cutBefore(pageContent, from, from + length)
    yield { pageContent: pageContent.slice(from, to), metadata, last: last && to === pageContent.length }
    from = to
  }
}

/** Characters of metadata as JSON. */
export const metadataLength = (metadata: Metadata): number => JSON.stringify(metadata).length

function cutBefore(text: string, from: number, most: number): number {
  if (most >= text.length) return text.length
  const least = most - Math.floor((most - from) / 10)
  for (const separator of ['\n', ' ']) {
    const place = text.lastIndexOf(separator, most - 1)
    if (place >= least) return place + 1
  }
  const isWithinPair = text.charCodeAt(most - 1) >>> 10 === 0x36 && text.charCodeAt(most) >>> 10 === 0x37
  return isWithinPair && most - 1 > from ? most - 1 : most
}
