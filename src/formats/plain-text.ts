import { isUtf8 } from 'node:buffer'
import { readFile, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import type { FileParser, ParsedBatch, ParseRequest } from '../contract/file-parser.ts'

/** What takes a millisecond to read at the most. */
const MAX_BYTES = 256 * 1024

/** Bytes that stand in no plain text: NUL, and the escape by which other encodings hide in ASCII (ISO 2022). */
const UNPLAIN = [0x00, 0x1b]

/**
 * Reads small files of plain UTF-8 in this process: there is nothing in them to interpret, and the way to another
 * process and back takes longer than reading them. Whatever else a file is goes to `parser`.
 *
 * @param readable the folders in which such files may lie
 */
export function withPlainTextInProcess(parser: FileParser, readable: readonly string[]): FileParser {
  return {
    async *parse(request, signal) {
      const text = await plainText(request, readable)
      signal?.throwIfAborted()
      if (text === undefined) yield* parser.parse(request, signal)
      else if (text.trim() !== '') yield batchOf(text)
    },
    close: () => parser.close(),
  }
}

/** The text of a file; undefined where it is none of these, or cannot be read: `parser` then says why. */
async function plainText(request: ParseRequest, readable: readonly string[]): Promise<string | undefined> {
  if (request.type !== 'text') return undefined
  try {
    const file = await realpath(request.path)
    if (!readable.some((folder) => file.startsWith(folder + path.sep))) return undefined
    const { size } = await stat(file)
    if (size > MAX_BYTES) return undefined
    const bytes = await readFile(file)
    if (!isUtf8(bytes) || UNPLAIN.some((byte) => bytes.includes(byte))) return undefined
    // A byte order mark goes with the decoding.
    return new TextDecoder().decode(bytes)
  } catch {
    return undefined
  }
}

const batchOf = (pageContent: string): ParsedBatch => ({
  parts: [{ pageContent, metadata: {}, last: true }],
  notes: [],
})
