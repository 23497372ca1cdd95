import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { ChunkStore } from '../../src/contract/chunk-store.ts'
import type { Embedder } from '../../src/contract/embedder.ts'
import type { FileParser } from '../../src/contract/file-parser.ts'
import type { Loader, UploadedFile } from '../../src/contract/loader.ts'
import type { Cleanup } from '../../src/contract/record-manager.ts'
import { sha256 } from '../../src/kit/hash.ts'
import { quietLog } from '../../src/kit/log.ts'
import { createKeyedQueue } from '../../src/kit/keyed-queue.ts'
import { catalog } from '../../src/nodes/catalog.ts'
import { recursiveSplitter } from '../../src/text/recursive.ts'
import { createUpsertEngine } from '../../src/upsert/engine.ts'
import type { UpsertResult } from '../../src/upsert/outcome.ts'
import { lend } from './lend.ts'

export type Loading = {
  store: ChunkStore
  embedder: Embedder
  parser: FileParser
  uploads: readonly UploadedFile[]
  cleanup: Cleanup
  /** Documents are not cut. */
  whole?: boolean
}

/** Chunks of at most so many characters, without overlap: a paragraph of more than half of it is a chunk. */
export const CHUNK_SIZE = 300

/** One upsert over real parts, from its files to the end of its cleanup. */
export async function load({
  store,
  embedder,
  parser,
  uploads,
  cleanup,
  whole = false,
}: Loading): Promise<UpsertResult> {
  const engine = createUpsertEngine({ namespaceQueue: createKeyedQueue(), log: quietLog })
  const loader = catalog.get('fileLoader')!.build(
    {
      values: { metadata: {}, omitMetadataKeys: '', usage: 'perPage' },
      parts: whole ? {} : { textSplitter: recursiveSplitter({ chunkSize: CHUNK_SIZE, chunkOverlap: 0 }) },
    },
    lend({ parser, openStore: () => store }),
  ) as Loader
  const part = {
    store,
    embedder,
    loaders: [loader],
    recordManager: { cleanup, sourceIdKey: 'source' },
    retrieval: { topK: 4, searchType: 'similarity' as const },
  }
  const options = {
    strict: true,
    dryRun: false,
    confirmFullCleanup: false,
    returnSourceDocuments: false,
    addMetadata: {},
  }
  const result = await engine.upsert({ part, uploads, options, warnings: [] }, new AbortController().signal)
  await engine.idle()
  return result
}

/** The files of a folder as uploads on disk. */
export function uploadsOf(folder: string): UploadedFile[] {
  return readdirSync(folder)
    .toSorted()
    .map((name) => {
      const file = path.join(folder, name)
      const bytes = readFileSync(file)
      return { name, path: file, size: bytes.length, sha256: sha256(bytes) }
    })
}
