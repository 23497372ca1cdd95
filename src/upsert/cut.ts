import type { DocumentPart, Metadata } from '../contract/document.ts'
import type { Cutter, Piece, TextSplitter } from '../contract/splitter.ts'
import { SluiceError } from '../kit/errors.ts'
import { isObject } from '../kit/json.ts'

/** A chunk as it was cut: its text, and the metadata of its document with the lines where it stood. */
export type CutChunk = { text: string; metadata: Metadata }

/** The most text that a document may have where no splitter cuts it. */
const WHOLE_DOCUMENT = 16_000_000

/** Cuts documents that arrive in parts into chunks; texts of white space alone give none. */
export function createCut(splitter: TextSplitter | undefined, name: string) {
  let cutter: Cutter | undefined

  return function* cut(part: DocumentPart): Generator<CutChunk> {
    cutter ??= splitter ? splitter.open() : wholeDocument(name)
    const pieces = cutter.push(clean(part.pageContent))
    yield* dressed(pieces, part.metadata)
    if (!part.last) return
    const rest = cutter.end()
    cutter = undefined
    yield* dressed(rest, part.metadata)
  }
}

function* dressed(pieces: Piece[], metadata: Metadata): Generator<CutChunk> {
  for (const { text, lines } of pieces) {
    if (text.trim() === '') continue
    const loc = isObject(metadata.loc) ? metadata.loc : {}
    yield { text, metadata: lines ? { ...metadata, loc: { ...(loc as Metadata), lines } } : metadata }
  }
}

/** NUL and halves of surrogate pairs are no text; they go before anything is hashed or stored. */
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
      if (length > WHOLE_DOCUMENT) {
        throw new SluiceError('file_over_limit', {
          file: name,
          reason: `without a text splitter a document may have ${WHOLE_DOCUMENT} characters`,
        })
      }
      parts.push(part)
      return []
    },
    end: () => [{ text: parts.join('') }],
  }
}
