import { isUtf8 } from 'node:buffer'
import { readFile, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import type { FileParser, ParsedBatch, ParseRequest } from '../contract/file-parser.ts'

/** Larger files are left to the parser: reading this many bytes takes about a millisecond. */
const MAX_BYTES = 256 * 1024

/** Bytes that plain text does not contain: NUL, and the escape of encodings that extend ASCII (ISO 2022). */
const UNPLAIN = [0x00, 0x1b]

/**
 * A parser that reads small files of plain UTF-8 in this process, and passes all others to `parser`. Plain text is
 * not interpreted, so it cannot harm this process, and a round trip to a child process takes longer than reading it.
 *
 * @param readable the folders that may contain such files
 */
export function withPlainTextInProcess(parser: FileParser, readable: readonly string[]): FileParser {
  return {
    async *parse(request, signal) {
      const text = await plainText(request, readable)
      signal?.throwIfAborted()
      if (text === undefined) yield* parser.parse(request, signal)
      else if (text.trim() !== '') yield batchOf(text)
    },
    variant: async (type, options) => parser.variant?.(type, options),
    close: () => parser.close(),
  }
}

/** The text of a small plain file; undefined for any other file, or if it cannot be read: `parser` then reports why. */
async function plainText(request: ParseRequest, readable: readonly string[]): Promise<string | undefined> {
  if (request.type !== 'text') return undefined
  try {
    const file = await realpath(request.path)
    if (!readable.some((folder) => file.startsWith(folder + path.sep))) return undefined
    const { size } = await stat(file)
    if (size > MAX_BYTES) return undefined
    const bytes = await readFile(file)
    if (!isUtf8(bytes) || UNPLAIN.some((byte) => bytes.includes(byte))) return undefined
    // The decoder removes a byte order mark.
    return new TextDecoder().decode(bytes)
  } catch {
    return undefined
  }
}

const batchOf = (pageContent: string): ParsedBatch => ({
  parts: [{ pageContent, metadata: {}, last: true }],
  notes: [],
})
