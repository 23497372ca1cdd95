import { decodeStream } from './decode.ts'
import { bytePieces } from './file-pieces.ts'
import type { StreamFile, StreamReader } from './reader.ts'
import { UndecodedCharacters } from './undecoded.ts'

/** The characters of a file, piece by piece; see decode.ts for its encoding, and for what `lost` counts. */
export const textPieces = (file: StreamFile, lost?: UndecodedCharacters): AsyncGenerator<string> =>
  decodeStream(bytePieces(file), undefined, lost)

/**
 * Reads text, markdown or source code as one document, unchanged. A large file comes in parts; a file of white space
 * gives no document.
 */
export const readText: StreamReader = async function* (file) {
  let held: string | undefined
  let large = false
  const lost = new UndecodedCharacters()
  for await (const piece of textPieces(file, lost)) {
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
