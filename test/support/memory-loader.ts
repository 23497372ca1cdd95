import type { Metadata } from '../../src/contract/document.ts'
import type { Loader, UploadedFile } from '../../src/contract/loader.ts'
import { sha256 } from '../../src/kit/hash.ts'

/** A document of a file: its text, or its text with metadata of its own. */
export type Page = string | { text: string; metadata: Metadata }

/** The content of a file when it is read: its pages, and maybe notes with each of them and a failure after them. */
export type Content = { pages: readonly Page[]; notes?: readonly string[]; failure?: Error }

/** A loader of files in memory, a document per page and, without a splitter, a chunk per document. */
export type MemoryLoader = Loader & {
  /** Adds a file, and returns it as an upload. */
  upload(name: string, content: readonly Page[] | Content): UploadedFile
  /** The names of the files that were read, in order. */
  readonly reads: string[]
}

export function memoryLoader(options: Partial<Loader> = {}): MemoryLoader {
  const files = new Map<string, Content>()
  const reads: string[] = []
  return {
    id: 'memory',
    shapeMetadata: (own, added) => ({ ...own, ...added }),
    reads,
    upload(name, given) {
      const content = 'pages' in given ? given : { pages: given }
      const sha = sha256(JSON.stringify([content.pages, content.failure?.message]))
      const path = `${name} ${sha}`
      files.set(path, content)
      return { name, path, size: content.pages.length + (content.failure ? 1 : 0), sha256: sha }
    },
    uploads: {
      accepts: ['.mem'],
      async item({ name, path, sha256 }) {
        const content = files.get(path)
        if (!content) return undefined
        return {
          name,
          source: name,
          fingerprint: sha256,
          async *read(signal) {
            reads.push(name)
            for (const page of content.pages) {
              signal.throwIfAborted()
              const { text, metadata } = typeof page === 'string' ? { text: page, metadata: {} } : page
              const part = { pageContent: text, metadata: { source: name, ...metadata }, last: true }
              yield { parts: [part], notes: [...(content.notes ?? [])] }
            }
            if (content.failure) throw content.failure
          },
        }
      },
    },
    ...options,
  }
}
