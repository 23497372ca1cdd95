import type { DocumentPart, Metadata, TextRange } from '../contract/document.ts'
import { withoutHeadMark } from '../documents/passage.ts'
import type { Cutter, OpenHeading, Piece, TextSplitter } from '../contract/splitter.ts'
import { SluiceError } from '../kit/errors.ts'
import { isObject } from '../kit/json.ts'

/**
 * A chunk before it is placed: its text, what is above it in its document, the metadata of its document with its line numbers and
 * headings, and its range in the extracted text of the item.
 */
export type CutChunk = {
  text: string
  head?: string
  metadata: Metadata
  range?: TextRange | undefined
}

/** Between two documents in the extracted text of an item. */
export const DOCUMENT_GAP = '\n\n'

/** The most characters that a chunk may have, with and without a splitter. */
const MOST_CHARACTERS = 16_000_000

/**
 * Cuts documents that arrive in parts into chunks. A piece of white space only gives no chunk.
 *
 * @param extracted called with the extracted text of the item, part by part: the documents with `DOCUMENT_GAP` between
 *   them. The ranges of the chunks are positions in it
 */
export function createCut(
  splitter: TextSplitter | undefined,
  name: string,
  extracted: (text: string) => void = () => {},
) {
  let cutter: Cutter | undefined
  /** The headings at the end of the document before. */
  let before: readonly OpenHeading[] | undefined
  /** Where the current document begins in the extracted text, and how much of it has arrived. */
  let start = 0
  let length = 0

  return function* cut(part: DocumentPart): Generator<CutChunk> {
    if (!cutter && start > 0) extracted(DOCUMENT_GAP)
    cutter ??= splitter ? splitter.open({ name, metadata: part.metadata, before }) : wholeDocument(name)
    const text = clean(part.pageContent)
    length += text.length
    extracted(text)
    const pieces = cutter.push(text)
    yield* placed(pieces, start, part.metadata, name)
    if (!part.last) return
    const rest = cutter.end()
    before = cutter.headings?.()
    cutter = undefined
    yield* placed(rest, start, part.metadata, name)
    start += length + DOCUMENT_GAP.length
    length = 0
  }
}

function* placed(pieces: Piece[], start: number, metadata: Metadata, name: string): Generator<CutChunk> {
  for (const { text, lines, range, head, headings } of pieces) {
    if (text.length > MOST_CHARACTERS)
      throw tooLong(name, 'the text splitter gives a piece that is longer than')
    if (text.trim() === '') continue
    const loc = isObject(metadata.loc) ? metadata.loc : {}
    yield {
      text,
      ...(head === undefined ? {} : { head }),
      metadata: {
        // Headings of the author's metadata win.
        ...(headings ? { headings } : {}),
        ...metadata,
        ...(lines ? { loc: { ...(loc as Metadata), lines } } : {}),
      },
      range: range && { start: start + range.start, end: start + range.end },
    }
  }
}

/** Removes NUL and replaces halves of surrogate pairs and marks of our own, before anything is hashed or stored. */
function clean(text: string): string {
  const plain = withoutHeadMark(text.includes('\0') ? text.replaceAll('\0', '') : text)
  return plain.isWellFormed() ? plain : plain.toWellFormed()
}

/** Without a splitter a document is one chunk. */
function wholeDocument(name: string): Cutter {
  const parts: string[] = []
  let length = 0
  return {
    push(part) {
      length += part.length
      if (length > MOST_CHARACTERS) throw tooLong(name, 'without a text splitter a document may have')
      parts.push(part)
      return []
    },
    end: () => [{ text: parts.join(''), range: { start: 0, end: length } }],
  }
}

const tooLong = (file: string, why: string) =>
  new SluiceError('file_over_limit', { file, reason: `${why} ${MOST_CHARACTERS} characters` })
