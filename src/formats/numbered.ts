import type { DocumentPart, Metadata } from '../contract/document.ts'
import type { DroppedItem, Note } from './reader.ts'

/** A document of a file that may contain many, with its number in the file, from 1. */
export type NumberedDocument = { line: number; pageContent: string; metadata?: Metadata }

/** What a reader yields besides documents. */
export type Told = Note | DroppedItem

/** Documents as parts, with `line` in the metadata if there is more than one. */
export async function* numberDocuments(
  items: Iterable<NumberedDocument | Told> | AsyncIterable<NumberedDocument | Told>,
): AsyncGenerator<DocumentPart | Told> {
  let first: NumberedDocument | undefined
  let several = false
  for await (const item of items) {
    if (!('pageContent' in item)) yield item
    else if (several) yield partOf(item)
    else if (first === undefined) first = item
    else {
      several = true
      yield partOf(first)
      yield partOf(item)
    }
  }
  if (first !== undefined && !several) {
    yield { pageContent: first.pageContent, metadata: first.metadata ?? {}, last: true }
  }
}

const partOf = ({ line, pageContent, metadata }: NumberedDocument): DocumentPart => ({
  pageContent,
  metadata: { line, ...metadata },
  last: true,
})
