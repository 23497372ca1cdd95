import { setImmediate } from 'node:timers/promises'
import type { NamespaceContents } from '../../contract/ledger.ts'
import type { SqlSession } from '../sql/session.ts'
import { countsOfSources } from './source-list.ts'

/** The number of sources of an index as of a run, by the id of the index. */
export type SourceCounts = Map<number, { run: number; sources: number }>

/** Of how many namespaces one step counts the sources before other work runs. */
const STEP = 50

/**
 * What readers see in each namespace that is not empty. Sources are counted again only where a run was published since the
 * last call: counting looks at every source.
 */
export async function contentsOf(
  sql: SqlSession,
  known: SourceCounts,
): Promise<Map<string, NamespaceContents>> {
  const rows = await sql.all<{ id: number; namespace: string; chunks: number; run: number }>(
    `SELECT id, namespace, chunks,
       coalesce((SELECT seq FROM runs WHERE index_id = indexes.id AND state = 'published' ORDER BY seq DESC LIMIT 1), 0) AS run
     FROM indexes WHERE state = 'live' AND chunks > 0`,
  )
  const changed = rows.filter(({ id, run }) => known.get(id)?.run !== run).map(({ id }) => id)
  const counted = new Map<number, number>()
  for (let from = 0; from < changed.length; from += STEP) {
    if (from > 0) await setImmediate()
    for (const [id, sources] of await countsOfSources(sql, changed.slice(from, from + STEP)))
      counted.set(id, sources)
  }
  const sourcesOf = new Map(
    rows.map(({ id, run }) => {
      const earlier = known.get(id)
      return [id, { run, sources: earlier?.run === run ? earlier.sources : (counted.get(id) ?? 0) }]
    }),
  )
  known.clear()
  for (const [id, count] of sourcesOf) known.set(id, count)
  return new Map(
    rows.map(({ id, namespace, chunks }) => [namespace, { chunks, sources: sourcesOf.get(id)!.sources }]),
  )
}
