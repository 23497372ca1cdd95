import type { DocumentPart, Metadata } from '../contract/document.ts'
import type { Note } from './reader.ts'

/** A document of a file that may contain many, with its number in the file, from 1. */
export type NumberedDocument = { line: number; pageContent: string; metadata?: Metadata }

/** Documents as parts, with `line` in the metadata if there is more than one. */
export async function* numberDocuments(
  items: Iterable<NumberedDocument | Note> | AsyncIterable<NumberedDocument | Note>,
): AsyncGenerator<DocumentPart | Note> {
  let first: NumberedDocument | undefined
  let several = false
  for await (const item of items) {
    if ('note' in item) yield item
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
