import type { JsonObject } from '../../kit/json.ts'

/** What a search service says to a question. */
export type WebAnswer = {
  /** What the service answers by itself, best first. */
  answers: string[]
  results: WebResult[]
}

export type WebResult = { title: string; address: string; text: string }

/** Where a service takes a key: in the header `Authorization: Bearer`, in another header, or in a parameter of the query. */
export type KeyPlace = { in: 'bearer' } | { in: 'header' | 'query'; name: string }

/** How a search service is asked, and how its answer is read: what its published description says. */
export type WebSearchService = {
  /** Its name in messages: `Brave Search`. */
  service: string
  /** GET: parameters are in the query. POST: they are the fields of a JSON object. */
  method: 'GET' | 'POST'
  /** The parameter of the question, or the parameters made of it. */
  question: string | ((question: string) => JsonObject)
  /** The longest question that it takes, in characters; {@link LONGEST_QUESTION} unless it says less. */
  longest?: number
  /** The media type that it answers with, where that is not JSON. */
  accept?: string
  /** Reads the body of an answer; undefined where it has another form. */
  read(body: string): WebAnswer | undefined
  /** What to do where it answers with one of these statuses. */
  advice?: Readonly<Record<number, string>>
}

export const LONGEST_QUESTION = 2000
