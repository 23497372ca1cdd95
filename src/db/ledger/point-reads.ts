import { setImmediate } from 'node:timers/promises'
import { conversationFilter } from '../../documents/conversation.ts'
import type { Metadata, FoundDocument } from '../../contract/document.ts'
import type { Ledger } from '../../contract/ledger.ts'
import { readablePassage, shownPassage } from '../../documents/passage.ts'
import { matches } from '../../vector/matches.ts'
import { indexIdOf } from '../index-row.ts'
import type { SqlDatabase } from '../sql/session.ts'
import { holdsConversations, isLiveIndex } from './live-index.ts'
import {
  chunksOfPoints,
  contentsOfPoints,
  pointsAfter,
  pointsOfChunks,
  pointsOfSameText,
  restorableOfPoints,
} from './points.ts'

/** How many point ids one read brings. */
const POINTS_PER_READ = 1000

type PointReads = Pick<
  Ledger,
  | 'read'
  | 'filterFor'
  | 'points'
  | 'pointsOf'
  | 'knownPoints'
  | 'restorablePoints'
  | 'pointContents'
  | 'pointsWithTextOf'
>

/** What a ledger tells of the points of a separate engine. */
export function pointReads({ reader, snapshot }: Pick<SqlDatabase, 'reader' | 'snapshot'>): PointReads {
  return {
    read(collection, pointIds, audience) {
      const indexId = indexIdOf(collection)
      return snapshot(async (sql) => {
        if (!(await isLiveIndex(sql, indexId))) return undefined
        const filter = (await holdsConversations(sql, indexId))
          ? conversationFilter(audience)
          : audience.filter
        const found = new Map<string, FoundDocument>()
        for (const { point, content, metadata } of await chunksOfPoints(sql, indexId, pointIds)) {
          const parsed = JSON.parse(metadata) as Metadata
          if (!filter || matches(filter, parsed))
            found.set(point, { ...shownPassage(content), metadata: parsed })
        }
        return found
      })
    },

    async filterFor(collection, audience) {
      const withConversations = await holdsConversations(reader, indexIdOf(collection))
      return withConversations ? conversationFilter(audience) : audience.filter
    },

    async *points(collection, which) {
      for (let after = 0; ; ) {
        const rows = await pointsAfter(reader, indexIdOf(collection), {
          after,
          limit: POINTS_PER_READ,
          which,
        })
        if (rows.length > 0) yield rows.map(({ point }) => point)
        if (rows.length < POINTS_PER_READ) return
        after = rows.at(-1)!.id
        await setImmediate()
      }
    },

    async pointsOf(collection, chunkIds) {
      const rows = await pointsOfChunks(reader, indexIdOf(collection), chunkIds)
      return rows.map(({ point }) => point)
    },

    async knownPoints(collection, pointIds, which) {
      const rows = await restorableOfPoints(reader, indexIdOf(collection), pointIds)
      return new Set(
        rows.flatMap(({ point, restorable }) =>
          which === undefined || (which === 'restorable') === Boolean(restorable) ? point : [],
        ),
      )
    },

    async restorablePoints(collection, pointIds) {
      const rows = await restorableOfPoints(reader, indexIdOf(collection), pointIds)
      const kept = new Set(rows.flatMap(({ point, restorable }) => (restorable ? [] : point)))
      return rows.flatMap(({ point, restorable }) => (restorable && !kept.has(point) ? point : []))
    },

    async pointContents(collection, pointIds) {
      const rows = await contentsOfPoints(reader, indexIdOf(collection), pointIds)
      return new Map(
        rows.map(({ point, text, metadata }) => [
          point,
          { text: readablePassage(text), metadata: JSON.parse(metadata) as Metadata },
        ]),
      )
    },

    async pointsWithTextOf(collection, pointIds) {
      const pairs = await pointsOfSameText(reader, indexIdOf(collection), pointIds)
      return new Map(
        [...Map.groupBy(pairs, ({ point }) => point)].map(([point, same]) => [
          point,
          same.map((pair) => pair.same),
        ]),
      )
    },
  }
}
