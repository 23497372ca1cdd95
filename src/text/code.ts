import type { TextSplitter } from '../contract/splitter.ts'
import { LANGUAGE_SEPARATORS, type CodeLanguage } from './languages.ts'
import { separatorSplitter } from './separator-splitter.ts'
import { checkChunkSizes, type ChunkSizes } from './chunk-sizes.ts'
import { splitterId } from './splitter-id.ts'

/** The languages that the code splitter supports. */
export const CODE_LANGUAGES = Object.keys(LANGUAGE_SEPARATORS) as readonly CodeLanguage[]

/** `language` is one of {@link CODE_LANGUAGES}; any other text is refused by name. */
export type CodeOptions = ChunkSizes & { language: string }

/**
 * The recursive splitter with the separators of a programming language: it cuts before definitions rather than inside
 * them.
 *
 * @throws RangeError for an unknown language and for invalid sizes
 */
export function codeSplitter({ language, chunkSize, chunkOverlap }: CodeOptions): TextSplitter {
  checkChunkSizes({ chunkSize, chunkOverlap })
  if (!isLanguage(language))
    throw new RangeError(
      `language must be one of ${CODE_LANGUAGES.join(', ')}, received ${JSON.stringify(language)}`,
    )
  return separatorSplitter(splitterId('code', { language, chunkSize, chunkOverlap }), {
    chunkSize,
    chunkOverlap,
    separators: LANGUAGE_SEPARATORS[language],
    keepSeparator: true,
    descend: true,
  })
}

const isLanguage = (name: string): name is CodeLanguage => Object.hasOwn(LANGUAGE_SEPARATORS, name)
