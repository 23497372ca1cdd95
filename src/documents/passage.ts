import type { FoundDocument } from '../contract/document.ts'

/*
 * A passage is what is stored, embedded and searched of a chunk: its text, with its head as a line before it where it has one. One
 * string holds both, so that everything that works on passages (fingerprints, vectors, terms, checks, moves, replicas) has the
 * head too; only what shows a text takes it off.
 */

/** The first character of a passage with a head: a noncharacter of Unicode, meant for use inside of programs. */
const HEAD_MARK = '\uFDD0'

const UNMARKED = '\uFFFD'

/** The passage of a text and what is above it, a single line. */
export const passageOf = (text: string, head: string | undefined): string =>
  head === undefined || head === '' ? text : `${HEAD_MARK}${head.replace(/[\r\n]+/g, ' ')}\n${text}`

/** A passage as an embedder, a reranker or an engine of its own reads it: the head, a line break, the text. */
export const readablePassage = (passage: string): string =>
  passage.startsWith(HEAD_MARK) ? passage.slice(HEAD_MARK.length) : passage

/** What is above the text of a passage; undefined where it has none. */
export const headOfPassage = (passage: string): string | undefined =>
  passage.startsWith(HEAD_MARK) ? passage.slice(HEAD_MARK.length, passage.indexOf('\n')) : undefined

/** The text of a passage, without its head: a part of the document. */
export const textOfPassage = (passage: string): string =>
  passage.startsWith(HEAD_MARK) ? passage.slice(passage.indexOf('\n') + 1) : passage

/** A passage as a result of a search shows it. */
export const shownPassage = (passage: string): Omit<FoundDocument, 'metadata'> =>
  passage.startsWith(HEAD_MARK)
    ? { pageContent: textOfPassage(passage), passage: readablePassage(passage) }
    : { pageContent: passage }

/** The text of a document without the mark, which would make its first line a head; of the same length. */
export const withoutHeadMark = (text: string): string =>
  text.includes(HEAD_MARK) ? text.replaceAll(HEAD_MARK, UNMARKED) : text
