import type { SourceVersion } from '../../contract/source-version.ts'
import type { SqlSession } from '../sql/session.ts'
import { allOf, type SqlWhere } from '../sql/statements.ts'
import { type Listed, listedChunks, type ListedRow, POSITION } from './chunk-list.ts'
import { rowsWhereIndexIs } from './rows-of-index.ts'
import { isOfVersion } from './source-version.ts'
import { eachVisible } from './visible-chunks.ts'

type Found = { id: number; position: number }

/** Whether the text of a chunk contains a text, and it is of a version. */
function contains(
  sql: SqlSession,
  indexId: number,
  text: string,
  version: SourceVersion | undefined,
): SqlWhere {
  const content = sql.dialect.contains('content', text)
  return allOf(version === undefined ? undefined : isOfVersion(version), {
    sql: `EXISTS (SELECT 1 FROM ${rowsWhereIndexIs(sql, 'passages', indexId)} WHERE passages.id = passage_id AND ${content.sql})`,
    values: content.values,
  })
}

/**
 * A page of those of some listed chunks whose text contains another, and how many there are. All texts are looked at, in steps between
 * which other work runs.
 */
export async function searchChunks(
  sql: SqlSession,
  indexId: number,
  { search, offset, limit, ...listed }: Listed & { search: string; offset: number; limit: number },
): Promise<{ rows: ListedRow[]; total: number }> {
  const which = listed.source === undefined ? { range: listed.range } : { sources: [listed.source] }
  const version = listed.source === undefined ? undefined : listed.version
  const read = { columns: `${POSITION} AS position`, which: contains(sql, indexId, search, version) }
  const ids: number[] = []
  let total = 0
  let source: string | undefined
  let ofSource: Found[] = []
  function take(): void {
    ofSource.sort((one, other) => one.position - other.position || one.id - other.id)
    for (const { id } of ofSource) {
      if (total >= offset && total < offset + limit) ids.push(id)
      total++
    }
    ofSource = []
  }
  for await (const chunks of eachVisible<{ position: number }>(sql, indexId, which, read))
    for (const chunk of chunks) {
      if (chunk.source !== source) take()
      source = chunk.source
      ofSource.push(chunk)
    }
  take()
  return { rows: ids.length === 0 ? [] : await listedChunks(sql, indexId, ids), total }
}
