import { createReadStream } from 'node:fs'
import { decodeStream } from './decode.ts'
import type { StreamReader } from './reader.ts'
import { UndecodedCharacters } from './undecoded.ts'

/** Bytes read from the disk at a time: large enough for a small cost per piece, small enough for many files at once. */
const PIECE_BYTES = 256 * 1024

/** The characters of a file, piece by piece; see decode.ts for its encoding, and for what `lost` counts. */
export const textPieces = (path: string, lost?: UndecodedCharacters): AsyncGenerator<string> =>
  decodeStream(createReadStream(path, { highWaterMark: PIECE_BYTES }), undefined, lost)

/**
 * Reads text, markdown or source code as one document, unchanged. A large file comes in parts; a file of white space
 * gives no document.
 */
export const readText: StreamReader = async function* (file) {
  let held: string | undefined
  let large = false
  const lost = new UndecodedCharacters()
  for await (const piece of textPieces(file.path, lost)) {
    if (held !== undefined) {
      yield { pageContent: held, metadata: {}, last: false }
      large = true
    }
    held = piece
  }
  if (held === undefined || (!large && held.trim() === '')) return
  yield { pageContent: held, metadata: {}, last: true }
  yield* lost.report()
}
