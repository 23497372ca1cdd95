import type { SearchRequest, SpellingReading } from '../../contract/search.ts'
import type { Connection } from '../../db/sqlite/connection.ts'
import { termPresence } from '../../db/sqlite/term-presence.ts'
import { holdersOf } from '../../db/sqlite/text-search.ts'
import { type Edit, editsOf, type PlainWord, plainWordsOf } from '../../text/terms/misspellings.ts'
import { questionTerms } from '../../text/terms/question.ts'

/** The terms that are searched, with their weights, and the words that were read in another spelling too. */
export type SearchedTerms = { terms: ReadonlyMap<number, number>; readings: SpellingReading[] }

/** The weights of the most likely word and of the second. Measured in docs/decisions/2026-11-22-question-terms.md. */
const WEIGHTS = [0.85, 0.425]

/** How many unknown words of a question are corrected. */
const MOST_WORDS = 8

/** A term that so many filters of segments have is in the index: so many are rarely wrong together. */
const SURE_SEGMENTS = 3

/** How many candidates are counted in the index: many where it has few segments, since each is looked up in each. */
const LOOK_UPS = 192
const LEAST_CANDIDATES = 8
const MOST_CANDIDATES = 64

/** The terms of the text of a request, and those of other spellings where the request wants them. */
export function searchedTerms(
  connection: Connection,
  indexId: number,
  { text, spelling }: Pick<SearchRequest, 'text' | 'spelling'>,
): SearchedTerms {
  const terms = questionTerms(text ?? '')
  if (!spelling || text === undefined) return { terms, readings: [] }
  const corrected = correctSpelling(connection, indexId, text)
  for (const [term, weight] of corrected.terms) if (!terms.has(term)) terms.set(term, weight)
  return { terms, readings: corrected.readings }
}

/**
 * Finds the words of a question that no passage of the index has, and for each the words of the index that become it by one
 * typing error: at most two, the most likely first.
 */
function correctSpelling(connection: Connection, indexId: number, question: string): SearchedTerms {
  const terms = new Map<number, number>()
  const readings: SpellingReading[] = []
  for (const { word, letters } of unknownWords(connection, indexId, question).slice(0, MOST_WORDS)) {
    const meant = likelyWords(connection, indexId, letters).slice(0, WEIGHTS.length)
    for (const [at, { term }] of meant.entries())
      terms.set(term, Math.max(WEIGHTS[at]!, terms.get(term) ?? 0))
    if (meant.length > 0)
      readings.push({ word, readAs: meant.map((edit) => String.fromCodePoint(...edit.letters)) })
  }
  return { terms, readings }
}

function unknownWords(connection: Connection, indexId: number, question: string): PlainWord[] {
  const words = plainWordsOf(question)
  if (words.length === 0) return []
  const presence = termPresence(
    connection,
    indexId,
    words.map(({ term }) => term),
  )
  const unsure = words.filter((_, at) => presence[at]!.segments < SURE_SEGMENTS)
  const holders = holdersOf(
    connection,
    indexId,
    unsure.map(({ term }) => term),
  )
  return unsure.filter(({ term }) => holders.get(term) === 0)
}

/** The words of the index that are one typing error away, the most likely first: by the error, and by how many have it. */
function likelyWords(connection: Connection, indexId: number, letters: readonly number[]): Edit[] {
  const byTerm = new Map<number, Edit>()
  for (const edit of editsOf(letters)) {
    const known = byTerm.get(edit.term)
    if (!known || known.likelihood < edit.likelihood) byTerm.set(edit.term, edit)
  }
  const edits = [...byTerm.values()]
  const presence = termPresence(connection, indexId, [...byTerm.keys()])
  const segments = presence.reduce((most, one) => Math.max(most, one.segments), 0)
  const counted = edits
    .map((edit, at) => ({ edit, estimate: edit.likelihood * presence[at]!.passages }))
    .filter(({ estimate }) => estimate > 0)
    .toSorted((one, other) => other.estimate - one.estimate)
    .slice(0, Math.min(MOST_CANDIDATES, Math.max(LEAST_CANDIDATES, Math.floor(LOOK_UPS / segments))))
    .map(({ edit }) => edit)
  const holders = holdersOf(
    connection,
    indexId,
    counted.map(({ term }) => term),
  )
  const scoreOf = ({ term, likelihood }: Edit) => likelihood * holders.get(term)!
  return counted
    .filter(({ term }) => holders.get(term)! > 0)
    .toSorted((one, other) => scoreOf(other) - scoreOf(one))
}
