import { setImmediate } from 'node:timers/promises'
import { conversationFilter } from '../../documents/conversation.ts'
import type { Metadata, FoundDocument } from '../../contract/document.ts'
import type { Ledger } from '../../contract/ledger.ts'
import { readablePassage, shownPassage } from '../../documents/passage.ts'
import { matches } from '../../vector/matches.ts'
import { indexIdOf } from '../index-row.ts'
import type { SqlDatabase } from '../sql/session.ts'
import { searchState } from './search-state.ts'
import { hasRemoved } from './removed-collection.ts'
import {
  chunksOfPoints,
  type PointState,
  contentsOfPoints,
  pointsAfter,
  pointsOfChunks,
  pointsOfSameText,
  statesOfPoints,
  visibleOfPoints,
} from './points.ts'

/** How many point ids one read brings. */
const POINTS_PER_READ = 1000

type PointReads = Pick<
  Ledger,
  | 'read'
  | 'conditionsFor'
  | 'points'
  | 'pointsOf'
  | 'visiblePoints'
  | 'knownPoints'
  | 'restorablePoints'
  | 'deadPoints'
  | 'pointContents'
  | 'pointsWithTextOf'
  | 'hasRemovedPoints'
>

/** What a ledger tells of the points of a separate engine. */
export function pointReads({ reader }: Pick<SqlDatabase, 'reader'>): PointReads {
  /** Those of some points of which all chunks are in one state. */
  async function pointsOnly(state: PointState, collection: string, pointIds: readonly string[]) {
    const rows = await statesOfPoints(reader, indexIdOf(collection), pointIds)
    const others = new Set(rows.flatMap((row) => (row.state === state ? [] : row.point)))
    return rows.flatMap((row) => (others.has(row.point) ? [] : row.point))
  }

  return {
    async read(collection, pointIds, audience) {
      const read = await chunksOfPoints(reader, indexIdOf(collection), pointIds)
      if (!read) return undefined
      const filter = read.holdsConversations ? conversationFilter(audience) : audience.filter
      const documents = new Map<string, FoundDocument>()
      for (const { point, content, metadata } of read.chunks) {
        const parsed = JSON.parse(metadata) as Metadata
        if (!filter || matches(filter, parsed))
          documents.set(point, { ...shownPassage(content), metadata: parsed })
      }
      const newestRun = read.chunks.reduce((newest, { born }) => Math.max(newest, born), 0)
      return { documents, newestRun }
    },

    async conditionsFor(collection, audience) {
      const { holdsConversations, unpublished, newestRun } = await searchState(reader, indexIdOf(collection))
      const filter = holdsConversations ? conversationFilter(audience) : audience.filter
      return { filter, withoutRuns: unpublished, newestRun }
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

    async visiblePoints(collection, pointIds) {
      const rows = await visibleOfPoints(reader, indexIdOf(collection), pointIds)
      return rows.map(({ point }) => point)
    },

    async knownPoints(collection, pointIds, which) {
      const rows = await statesOfPoints(reader, indexIdOf(collection), pointIds)
      const isOf = (state: PointState) =>
        which === undefined || (which === 'restorable') === (state === 'restorable')
      return new Set(rows.flatMap(({ point, state }) => (isOf(state) ? point : [])))
    },

    restorablePoints: (collection, pointIds) => pointsOnly('restorable', collection, pointIds),
    deadPoints: (collection, pointIds) => pointsOnly('dead', collection, pointIds),

    async pointContents(collection, pointIds) {
      const rows = await contentsOfPoints(reader, indexIdOf(collection), pointIds)
      return new Map(
        rows.map(({ point, text, metadata }) => [
          point,
          { text: readablePassage(text), metadata: JSON.parse(metadata) as Metadata },
        ]),
      )
    },

    hasRemovedPoints: (collection) => hasRemoved(reader, indexIdOf(collection)),

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
