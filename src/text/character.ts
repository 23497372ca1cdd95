import type { TextSplitter } from '../contract/splitter.ts'
import { separatorSplitter } from './separator-splitter.ts'
import { checkChunkSizes, type ChunkSizes } from './chunk-sizes.ts'
import { splitterId } from './splitter-id.ts'

export type CharacterOptions = ChunkSizes & {
  /** A blank line unless given; the empty one cuts anywhere. */
  separator?: string
}

/**
 * Cuts at one separator and joins small neighbours with it, up to `chunkSize` UTF-16 code units. The text between two
 * separators is never cut, however long. Chunks are those of CharacterTextSplitter in @langchain/textsplitters 1.0.2.
 *
 * @throws RangeError for invalid sizes
 */
export function characterSplitter(options: CharacterOptions): TextSplitter {
  checkChunkSizes(options)
  const { chunkSize, chunkOverlap, separator = '\n\n' } = options
  return separatorSplitter(splitterId('character', { chunkSize, chunkOverlap, separator }), {
    chunkSize,
    chunkOverlap,
    separators: [separator],
    keepSeparator: false,
    descend: false,
  })
}
