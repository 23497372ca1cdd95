import type { DocumentPart, Metadata } from '../contract/document.ts'
import type { Cutter, Piece, TextSplitter } from '../contract/splitter.ts'
import { SluiceError } from '../kit/errors.ts'
import { isObject } from '../kit/json.ts'

/** A chunk before it is placed: its text, and the metadata of its document with its line numbers. */
export type CutChunk = { text: string; metadata: Metadata }

/** The most characters that a chunk may have, with and without a splitter. */
const MOST_CHARACTERS = 16_000_000

/** Cuts documents that arrive in parts into chunks. A piece of white space only gives no chunk. */
export function createCut(splitter: TextSplitter | undefined, name: string) {
  let cutter: Cutter | undefined

  return function* cut(part: DocumentPart): Generator<CutChunk> {
    cutter ??= splitter ? splitter.open() : wholeDocument(name)
    const pieces = cutter.push(clean(part.pageContent))
    yield* withLines(pieces, part.metadata, name)
    if (!part.last) return
    const rest = cutter.end()
    cutter = undefined
    yield* withLines(rest, part.metadata, name)
  }
}

function* withLines(pieces: Piece[], metadata: Metadata, name: string): Generator<CutChunk> {
  for (const { text, lines } of pieces) {
    if (text.length > MOST_CHARACTERS)
      throw tooLong(name, 'the text splitter gives a piece that is longer than')
    if (text.trim() === '') continue
    const loc = isObject(metadata.loc) ? metadata.loc : {}
    yield { text, metadata: lines ? { ...metadata, loc: { ...(loc as Metadata), lines } } : metadata }
  }
}

/** Removes NUL and replaces halves of surrogate pairs, before anything is hashed or stored. */
function clean(text: string): string {
  const plain = text.includes('\0') ? text.replaceAll('\0', '') : text
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
    end: () => [{ text: parts.join('') }],
  }
}

const tooLong = (file: string, why: string) =>
  new SluiceError('file_over_limit', { file, reason: `${why} ${MOST_CHARACTERS} characters` })
