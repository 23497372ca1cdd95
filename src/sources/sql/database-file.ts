import path from 'node:path'
import type { FileParser } from '../../contract/file-parser.ts'
import type { LoaderItem } from '../../contract/loader.ts'
import { firstTableIn } from './query-text.ts'

export type DatabaseQuery = {
  /** Path of the database file, links resolved, inside the allowlist. */
  file: string
  query: string
  contentColumns: string[] | undefined
  metadataColumns: string[] | undefined
}

/**
 * The rows of a query as one item. They are read in a separate process with a time limit, so that no query can block
 * others.
 */
export function databaseItem(settings: DatabaseQuery, parser: FileParser): LoaderItem {
  const { file, query, contentColumns, metadataColumns } = settings
  const source = `${path.basename(file)}/${firstTableIn(query)}`
  const options = {
    query,
    ...(contentColumns?.length ? { contentColumns } : {}),
    ...(metadataColumns?.length ? { metadataColumns } : {}),
  }
  return {
    name: source,
    source,
    async *read(signal) {
      for await (const batch of parser.parse({ path: file, name: source, type: 'sqlite', options }, signal)) {
        for (const part of batch.parts) part.metadata = { source, ...part.metadata }
        yield batch
      }
    },
  }
}
