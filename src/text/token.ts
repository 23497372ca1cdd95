import type { TextSplitter } from '../contract/splitter.ts'
import {
  TOKEN_ENCODINGS,
  type TokenEncodingName,
  tokenEncoding,
  loadTokenEncoding,
} from './token-encodings.ts'
import { StreamedText } from './streamed-text.ts'
import { StreamingCutter } from './streaming-cutter.ts'
import { checkChunkSizes, type ChunkSizes } from './chunk-sizes.ts'
import { splitterId } from './splitter-id.ts'
import { TokenAlgorithm } from './token-algorithm.ts'

/** Sizes are counted in tokens of the encoding, gpt2 unless given. */
export type TokenOptions = ChunkSizes & { encodingName?: TokenEncodingName }

/**
 * Windows of `chunkSize` tokens, each stepping back by `chunkOverlap`; nothing is trimmed. Chunks are those of
 * TokenTextSplitter in @langchain/textsplitters 1.0.2, and text that spells a special token ("<|endoftext|>") is text
 * like any other. The encoding is loaded with the first text. Throws RangeError for settings that make no sense.
 */
export function tokenSplitter(options: TokenOptions): TextSplitter {
  checkChunkSizes(options)
  const { chunkSize, chunkOverlap, encodingName = 'gpt2' } = options
  if (!TOKEN_ENCODINGS.includes(encodingName))
    throw new RangeError(
      `encodingName must be one of ${TOKEN_ENCODINGS.join(', ')}, received ${JSON.stringify(encodingName)}`,
    )
  const knife = (scroll: StreamedText): TokenAlgorithm =>
    new TokenAlgorithm(scroll, { chunkSize, chunkOverlap }, tokenEncoding(encodingName))
  return {
    id: splitterId('token', { encodingName, chunkSize, chunkOverlap }),
    split: (text) => knife(new StreamedText(text)).cut(),
    open: () => new StreamingCutter(knife),
    load: () => loadTokenEncoding(encodingName),
  }
}
