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

/** Sizes are counted in tokens of the encoding; gpt2 is the default. */
export type TokenOptions = ChunkSizes & { encodingName?: TokenEncodingName }

/**
 * Windows of `chunkSize` tokens, which overlap by `chunkOverlap`; nothing is trimmed. Chunks are those of
 * TokenTextSplitter in @langchain/textsplitters 1.0.2; text that spells a special token ("<|endoftext|>") is ordinary
 * text. The encoding is loaded at the first text.
 *
 * @throws RangeError for invalid settings
 */
export function tokenSplitter(options: TokenOptions): TextSplitter {
  checkChunkSizes(options)
  const { chunkSize, chunkOverlap, encodingName = 'gpt2' } = options
  if (!TOKEN_ENCODINGS.includes(encodingName))
    throw new RangeError(
      `encodingName must be one of ${TOKEN_ENCODINGS.join(', ')}, received ${JSON.stringify(encodingName)}`,
    )
  const algorithmFor = (text: StreamedText): TokenAlgorithm =>
    new TokenAlgorithm(text, { chunkSize, chunkOverlap }, tokenEncoding(encodingName))
  return {
    id: splitterId('token', { encodingName, chunkSize, chunkOverlap }),
    split: (text) => algorithmFor(new StreamedText(text)).cut(),
    open: () => new StreamingCutter(algorithmFor),
    load: () => loadTokenEncoding(encodingName),
  }
}
