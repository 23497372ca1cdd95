import type { Collection } from '../../src/evaluate/collection.ts'

const LETTERS: Readonly<Record<string, string>> = { ي: 'ی', ى: 'ی', ك: 'ک', ة: 'ه' }
const WORD = /[\u0620-\u065f\u066e-\u06d3]{5,}/g
const HALF_SPACE = '\u200c'

/** An Arabic text with the letters of Persian, and half-spaces after articles and before endings. It is no Persian. */
const persian = (text: string): string =>
  text
    .replace(/[يىكة]/g, (letter) => LETTERS[letter]!)
    .replace(WORD, (word) =>
      word
        .replace(/^(ال|وال|بال|لل)(?=.{4})/, `$1${HALF_SPACE}`)
        .replace(/(?<=^.{3,})(ات|ان|ین|ون|ها|هم|یه)$/, `${HALF_SPACE}$1`),
    )

/** A stand-in for a Persian collection: an Arabic one, written as Persian is. */
export const withPersianLetters = (collection: Collection): Collection => ({
  ...collection,
  documents: collection.documents.map(({ id, title, text }) => ({
    id,
    title: persian(title),
    text: persian(text),
  })),
  queries: collection.queries.map((query) => ({ ...query, text: persian(query.text) })),
})
