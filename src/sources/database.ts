import path from 'node:path'
import type { FileParser } from '../contract/file-parser.ts'
import type { LoaderItem } from '../contract/loader.ts'

export type DatabaseQuery = {
  /** Where the database file is, links followed, inside the allowlist. */
  file: string
  query: string
  contentColumns: string[] | undefined
  metadataColumns: string[] | undefined
}

/**
 * The rows of a query as one item. They are read in a process of its own, which ends with its time limit: no query can
 * hold up anybody else.
 */
export function databaseItem(asked: DatabaseQuery, parser: FileParser): LoaderItem {
  const { file, query, contentColumns, metadataColumns } = asked
  const source = `${path.basename(file)}/${tableOf(query)}`
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

/** The first table that a query names, which is what people call its rows by. */
const tableOf = (query: string): string =>
  /\bfrom\s+(?:"([^"]+)"|`([^`]+)`|\[([^\]]+)\]|([\p{L}\w.]+))/iu.exec(query)?.slice(1).find(Boolean) ??
  'query'
