import type { TextSplitter } from '../contract/splitter.ts'
import { ENCODINGS, type EncodingName, encoding, loadEncoding } from './encodings.ts'
import { Scroll } from './scroll.ts'
import { ScrollCutter } from './scroll-cutter.ts'
import { checkSizes, type Sizes } from './sizes.ts'
import { splitterId } from './splitter-id.ts'
import { TokenKnife } from './token-knife.ts'

/** Sizes are counted in tokens of the encoding, gpt2 unless given. */
export type TokenOptions = Sizes & { encodingName?: EncodingName }

/**
 * Windows of `chunkSize` tokens, each stepping back by `chunkOverlap`; nothing is trimmed. Chunks are those of
 * TokenTextSplitter in @langchain/textsplitters 1.0.2, and text that spells a special token ("<|endoftext|>") is text
 * like any other. The encoding is loaded with the first text. Throws RangeError for settings that make no sense.
 */
export function tokenSplitter(options: TokenOptions): TextSplitter {
  checkSizes(options)
  const { chunkSize, chunkOverlap, encodingName = 'gpt2' } = options
  if (!ENCODINGS.includes(encodingName))
    throw new RangeError(
      `encodingName must be one of ${ENCODINGS.join(', ')}, received ${JSON.stringify(encodingName)}`,
    )
  const knife = (scroll: Scroll): TokenKnife =>
    new TokenKnife(scroll, { chunkSize, chunkOverlap }, encoding(encodingName))
  return {
    id: splitterId('token', { encodingName, chunkSize, chunkOverlap }),
    split: (text) => knife(new Scroll(text)).cut(),
    open: () => new ScrollCutter(knife),
    load: () => loadEncoding(encodingName),
  }
}
