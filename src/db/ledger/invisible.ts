import { type InvisibleChunks, noInvisible } from '../../contract/invisible.ts'
import type { SqlSession } from '../sql/session.ts'
import { bytesOfChunk } from './chunk-bytes.ts'

/** The chunks of an index that readers do not see; `bytes` is what one of them takes. */
export type InvisibleOfIndex = { namespace: string; unswept: number; restorable: number; bytes: number }

/** In a SELECT from `indexes`: the namespace of an index, or of the one that it replaces, and the bytes of a chunk. */
export const namespaceAndBytes = (sql: Pick<SqlSession, 'dialect'>): string =>
  `coalesce((SELECT namespace FROM indexes AS replaced WHERE replaced.id = indexes.replaces), namespace) AS namespace,
   ${bytesOfChunk(sql)} AS bytes`

/** The sums by namespace, of those that have such chunks. */
export function sumByNamespace(rows: Iterable<InvisibleOfIndex>): Map<string, InvisibleChunks> {
  const result = new Map<string, InvisibleChunks>()
  for (const { namespace, unswept, restorable, bytes } of rows) {
    if (unswept + restorable === 0) continue
    const known = result.get(namespace) ?? noInvisible
    result.set(namespace, {
      unswept: known.unswept + unswept,
      restorable: known.restorable + restorable,
      bytes: known.bytes + Math.round((unswept + restorable) * bytes),
    })
  }
  return result
}
