import type { Loader } from '../contract/loader.ts'
import type { TextSplitter } from '../contract/splitter.ts'
import { sha256 } from '../kit/hash.ts'
import type { Collection } from './collection.ts'

/** A loader of the documents of a collection: each is a source, named by its id. */
export function collectionLoader(
  { name, documents }: Collection,
  splitter: TextSplitter | undefined,
): Loader {
  return {
    id: `collection ${name}`,
    shapeMetadata: (own, added) => ({ ...own, ...added }),
    ...(splitter ? { splitter } : {}),
    async *items() {
      for (const { id, title, text } of documents) {
        // A space, not a line break, at which a splitter would separate the title from its text.
        const pageContent = `${title} ${text}`.trim()
        yield {
          name: id,
          source: id,
          fingerprint: sha256(pageContent),
          async *read() {
            yield { parts: [{ pageContent, metadata: { source: id, title }, last: true }], notes: [] }
          },
        }
      }
    },
  }
}
