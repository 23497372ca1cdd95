import type { SearchRequest, SpellingReading } from '../../contract/search.ts'
import type { Connection } from '../../db/sqlite/connection.ts'
import type { HiddenIds } from '../../db/sqlite/hidden-passages.ts'
import { type CountedTerms, countTerms, holdersOf, withMoreTerms } from '../../db/sqlite/text-search.ts'
import { type Edit, editsOf, type PlainWord, plainWordsOf } from '../../text/terms/misspellings.ts'
import { questionTerms, readPart, withEarlierTerms } from '../../text/terms/question.ts'
import { asMeant } from '../../text/terms/as-meant.ts'
import { partedWordsOf } from '../../text/terms/half-spaces.ts'

/**
 * The terms that are searched, with their weights, and the words that were read in another spelling too; `misread` has the
 * terms of these as they were typed, which no passage has.
 */
type Corrected = {
  terms: ReadonlyMap<number, number>
  readings: SpellingReading[]
  misread: ReadonlySet<number>
}

/** With what the index has of these terms. */
export type SearchedTerms = Corrected & { counted: CountedTerms }

/** An index, and the passages in it that count for nothing. */
type Searched = { connection: Connection; indexId: number; hidden: HiddenIds | undefined }

/** The weights of the most likely word and of the second. Measured in docs/decisions/2026-11-22-spelling.md. */
const WEIGHTS = [0.85, 0.425]

/** How many unknown words of a question are corrected. */
const MOST_WORDS = 8

/** The terms of the text of a request, and those of other spellings where the request wants them. */
export function searchedTerms(
  connection: Connection,
  indexId: number,
  { text, earlier, spelling }: Pick<SearchRequest, 'text' | 'earlier' | 'spelling'>,
  hidden: HiddenIds | undefined,
): SearchedTerms {
  const terms = withEarlierTerms(questionTerms(text ?? ''), earlier)
  const counted = countTerms(connection, indexId, terms, hidden)
  if (!spelling || text === undefined) return { terms, counted, readings: [], misread: new Set() }
  const corrected = correctSpelling({ connection, indexId, hidden }, readPart(text), counted)
  const more = new Map([...corrected.terms].filter(([term]) => !terms.has(term)))
  if (more.size === 0) return { ...corrected, terms, counted }
  return {
    ...corrected,
    terms: new Map([...terms, ...more]),
    counted: withMoreTerms(counted, countTerms(connection, indexId, more, hidden)),
  }
}

/**
 * Finds the words of a question that no passage of the index has, and for each the words of the index that become it by one
 * typing error: at most two, the most likely first. How the index is divided into segments makes no difference.
 */
function correctSpelling(index: Searched, question: string, counted: CountedTerms): Corrected {
  const { terms, readings } = otherParts(index, question)
  const misread = new Set<number>()
  for (const { word, letters, term: typed } of unknownWords(index, question, counted).slice(0, MOST_WORDS)) {
    const meant = likelyWords(index, letters).slice(0, WEIGHTS.length)
    if (meant.length === 0) continue
    misread.add(typed)
    const reading = { word, readAs: meant.map((edit) => String.fromCodePoint(...edit.letters)) }
    readings.push(reading)
    // A stop word with an error: the question as it was meant does not have it among its terms.
    if (!questionTerms(asMeant(question, [reading])).has(meant[0]!.term)) continue
    for (const [at, { term }] of meant.entries())
      terms.set(term, Math.max(WEIGHTS[at]!, terms.get(term) ?? 0))
  }
  return { terms, readings, misread }
}

/**
 * The words of a question that the index only has with a space where the question has none, and the other way round: those of
 * languages that separate parts of words by a character of their own.
 */
function otherParts(
  { connection, indexId, hidden }: Searched,
  question: string,
): { terms: Map<number, number>; readings: SpellingReading[] } {
  const terms = new Map<number, number>()
  const readings: SpellingReading[] = []
  const words = partedWordsOf(question).slice(0, MOST_WORDS)
  if (words.length === 0) return { terms, readings }
  const asked = words.flatMap(({ terms, otherwise }) => [...terms, ...otherwise.map(({ term }) => term)])
  const holders = holdersOf(connection, indexId, asked, hidden)
  for (const { typed, terms: own, otherwise } of words) {
    if (own.every((term) => holders.get(term)! > 0)) continue
    const known = otherwise.filter(({ term }) => holders.get(term)! > 0)
    for (const { term } of known) terms.set(term, WEIGHTS[0]!)
    if (known.length > 0) readings.push({ word: typed, readAs: known.map(({ written }) => written) })
  }
  return { terms, readings }
}

function unknownWords(
  { connection, indexId, hidden }: Searched,
  question: string,
  { holders }: CountedTerms,
): PlainWord[] {
  const words = plainWordsOf(question)
  // Of a very long question not all words are searched.
  const others = words.flatMap(({ term }) => (holders.has(term) ? [] : term))
  const more = others.length > 0 ? holdersOf(connection, indexId, others, hidden) : new Map<number, number>()
  return words.filter(({ term }) => (holders.get(term) ?? more.get(term)) === 0)
}

/**
 * The words of the index that are one typing error away, the most likely first: by the error, and by how many have it. Of
 * equally likely ones the first error comes first.
 */
function likelyWords({ connection, indexId, hidden }: Searched, letters: readonly number[]): Edit[] {
  const byTerm = new Map<number, Edit>()
  for (const edit of editsOf(letters)) {
    const known = byTerm.get(edit.term)
    if (!known || known.likelihood < edit.likelihood) byTerm.set(edit.term, edit)
  }
  const holders = holdersOf(connection, indexId, byTerm.keys(), hidden)
  const scoreOf = ({ term, likelihood }: Edit) => likelihood * holders.get(term)!
  return [...byTerm.values()]
    .filter(({ term }) => holders.get(term)! > 0)
    .toSorted((one, other) => scoreOf(other) - scoreOf(one))
}
