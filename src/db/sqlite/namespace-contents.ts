import type { NamespaceContents } from '../../contract/ledger.ts'
import { countSources } from './source-list.ts'
import type { Connection } from './connection.ts'

/** The number of sources of an index as of a run, by the id of the index. */
export type SourceCounts = Map<number, { run: number; sources: number }>

/**
 * What readers see in each namespace that is not empty. Sources are counted again only where a run was published since the
 * last call: counting looks at every source.
 */
export function contentsOf(reader: Connection, known: SourceCounts): Map<string, NamespaceContents> {
  const rows = reader.all<{ id: number; namespace: string; chunks: number; run: number }>(
    `SELECT id, namespace, chunks,
       coalesce((SELECT seq FROM runs WHERE index_id = indexes.id AND state = 'published' ORDER BY seq DESC LIMIT 1), 0) AS run
     FROM indexes WHERE state = 'live' AND chunks > 0`,
  )
  const found = new Map<string, NamespaceContents>()
  const counted: SourceCounts = new Map()
  for (const { id, namespace, chunks, run } of rows) {
    const earlier = known.get(id)
    const sources = earlier?.run === run ? earlier.sources : countSources(reader, id, {})
    counted.set(id, { run, sources })
    found.set(namespace, { chunks, sources })
  }
  known.clear()
  for (const [id, count] of counted) known.set(id, count)
  return found
}
