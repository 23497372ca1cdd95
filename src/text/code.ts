import type { TextSplitter } from '../contract/splitter.ts'
import { LANGUAGE_SEPARATORS, type Language } from './languages.ts'
import { separatorSplitter } from './separator-splitter.ts'
import { checkSizes, type Sizes } from './sizes.ts'
import { splitterId } from './splitter-id.ts'

/** The languages a code splitter knows. */
export const LANGUAGES = Object.keys(LANGUAGE_SEPARATORS) as readonly Language[]

/** A language from {@link LANGUAGES}; any text is taken here, to be refused by name. */
export type CodeOptions = Sizes & { language: string }

/**
 * The recursive splitter with the separators of a programming language: it cuts before definitions rather than inside
 * them. Throws RangeError for a language it does not know and for sizes that make no sense.
 */
export function codeSplitter({ language, chunkSize, chunkOverlap }: CodeOptions): TextSplitter {
  checkSizes({ chunkSize, chunkOverlap })
  if (!isLanguage(language))
    throw new RangeError(
      `language must be one of ${LANGUAGES.join(', ')}, received ${JSON.stringify(language)}`,
    )
  return separatorSplitter(splitterId('code', { language, chunkSize, chunkOverlap }), {
    chunkSize,
    chunkOverlap,
    separators: LANGUAGE_SEPARATORS[language],
    keepSeparator: true,
    descend: true,
  })
}

const isLanguage = (name: string): name is Language => Object.hasOwn(LANGUAGE_SEPARATORS, name)
