import type { TextSplitter } from '../contract/splitter.ts'
import { separatorSplitter } from './separator-splitter.ts'
import { checkChunkSizes, type ChunkSizes } from './chunk-sizes.ts'
import { splitterId } from './splitter-id.ts'

const SEPARATORS = ['\n\n', '\n', ' ', '']

export type RecursiveOptions = ChunkSizes & {
  /** Tried in order, coarse to fine; the empty one cuts anywhere. Default: paragraph, line, word, anywhere. */
  separators?: readonly string[]
  /** Whether a separator begins the piece after it (the default) or is dropped between chunks. */
  keepSeparator?: boolean
}

/**
 * Cuts at the coarsest separator that makes the pieces small enough, and joins small neighbours up to `chunkSize`
 * UTF-16 code units. Chunks are those of RecursiveCharacterTextSplitter in @langchain/textsplitters 1.0.2; line
 * numbers are those where the chunk really is in the text.
 *
 * @throws RangeError for invalid sizes
 */
export function recursiveSplitter(options: RecursiveOptions): TextSplitter {
  checkChunkSizes(options)
  const { chunkSize, chunkOverlap, separators = SEPARATORS, keepSeparator = true } = options
  const settings = { chunkSize, chunkOverlap, separators, keepSeparator }
  return separatorSplitter(splitterId('recursive', settings), { ...settings, descend: true })
}
