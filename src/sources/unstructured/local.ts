import type { ParsedBatch } from '../../contract/file-parser.ts'
import type { DocumentPart } from '../../contract/document.ts'
import { isObject, type JsonObject } from '../../kit/json.ts'
import { type Chunking, ElementChunker, type ElementChunk } from './chunk-elements.ts'
import { ElementReader } from './elements.ts'

/**
 * The output of our own readers as elements or chunks of elements, each with its `category`. A chunk never spans two
 * documents, such as pages, slides or rows of a table.
 */
export async function* elementsOf(
  batches: AsyncIterable<ParsedBatch>,
  chunking: Chunking,
): AsyncGenerator<ParsedBatch> {
  let reader = new ElementReader()
  let chunker = new ElementChunker(chunking)
  if (chunking.strategy === 'by_similarity')
    yield {
      parts: [],
      notes: ['chunking by similarity needs the Unstructured API; the strategy "basic" was used instead'],
    }
  for await (const { parts, notes } of batches) {
    const made: DocumentPart[] = []
    for (const { pageContent, metadata, last } of parts) {
      const found = reader.push(pageContent)
      if (last) found.push(...reader.end())
      const chunks = found.flatMap((element) => chunker.push(element))
      if (last) chunks.push(...chunker.end())
      made.push(...chunks.map((chunk) => documentOf(chunk, metadata)))
      if (!last) continue
      reader = new ElementReader()
      chunker = new ElementChunker(chunking)
    }
    yield { parts: made, notes }
  }
}

function documentOf({ text, category }: ElementChunk, own: JsonObject): DocumentPart {
  const page = isObject(own.loc) ? own.loc.pageNumber : undefined
  const paged = typeof page === 'number' ? { page_number: page } : {}
  return { pageContent: text, metadata: { ...own, ...paged, category }, last: true }
}
