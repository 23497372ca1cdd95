import {
  CHAT_ID_KEY,
  conversationFilter,
  conversationSources,
  originalSourceName,
  storedSourceName,
} from '../../documents/conversation.ts'
import { chunkIdOf } from '../../documents/chunk-id.ts'
import type { Ledger } from '../../contract/ledger.ts'
import type { KeptOriginal } from '../../contract/source-load.ts'
import type { Metadata } from '../../contract/document.ts'
import type { FoundDocument } from '../../contract/document.ts'
import { readablePassage, shownPassage, textOfPassage } from '../../documents/passage.ts'
import type { NodeTurns } from '../../contract/turns.ts'
import type { Clock } from '../../kit/clock.ts'
import { matches, metadataValueAt } from '../../vector/matches.ts'
import { pathsOf } from '../../vector/metadata-columns.ts'
import { indexIdOf, indexOf, NO_INDEX } from '../index-row.ts'
import { rangeOf } from '../text-range.ts'
import { countListed, listChunks, placeOfChunk, placeOfPosition } from './chunk-list.ts'
import {
  chunksOfFence,
  chunksOfPoints,
  contentsOfPoints,
  eachVisible,
  filesHaveOtherSources,
  filesWithin,
  hasConversations,
  namespacesWithSources,
  pointsAfter,
  pointsOfSameText,
} from './chunks.ts'
import type { PostgresDatabase } from './database.ts'
import { findIndex, isLive, openRun, removeIndex, retiredIndexes } from './indexes.ts'
import { requireTurn } from './lanes.ts'
import { countInvisible, findUnswept } from './invisible.ts'
import { ledgerRebuild } from './ledger-rebuild.ts'
import { ledgerRun, ledgerSweeper, REBUILD_KEPT_MS, SWEEP_LIMIT } from './ledger-run.ts'
import { ledgerView } from './ledger-view.ts'
import { openRebuild } from './rebuild.ts'
import { restorableSources } from './removed-sources.ts'
import type { SqlSession } from './session.ts'
import { contentsOf, countSources, listSources } from './source-list.ts'
import { countLoaded, listLoaded, readLoadSettings } from './source-loads.ts'
import { textOfSource } from './source-text.ts'
import { sweepRetired } from './sweep.ts'

/** How many point ids one read brings. */
const POINTS_PER_READ = 1000

/**
 * The ledger in PostgreSQL: tables of `ledger-tables.ts`.
 *
 * @param turns the turns of this node: nothing begins in a namespace whose turn it does not have. What has begun is ended by the
 *   next turn, which abandons its run. Without them, there is one node.
 */
export function postgresLedger(
  database: PostgresDatabase,
  clock: Clock = Date.now,
  turns?: Pick<NodeTurns, 'held'>,
): Ledger {
  /** Does work that changes a namespace. @throws SluiceError `turn_lost` */
  const inTurn = <T>(namespace: string, work: (sql: SqlSession) => Promise<T>): Promise<T> =>
    database.transaction(async (sql) => {
      if (turns) await requireTurn(sql, namespace, turns.held(namespace)?.epoch)
      return work(sql)
    })
  return {
    async find(namespace) {
      const index = await findIndex(database.reader, namespace)
      return index && indexOf(index)
    },

    view: (index) =>
      ledgerView(
        database.reader,
        index ? { id: indexIdOf(index.collection), dimensions: index.dimensions } : NO_INDEX,
      ),

    async open(request) {
      const { run, index } = await inTurn(request.namespace, (sql) =>
        openRun(sql, { ...request, now: clock() }),
      )
      return ledgerRun({ database, clock, index, run })
    },

    async rebuild(request) {
      const begun = await inTurn(request.namespace, (sql) => openRebuild(sql, { ...request, now: clock() }))
      return begun && ledgerRebuild({ database, clock, begun })
    },

    async read(collection, pointIds, audience) {
      const indexId = indexIdOf(collection)
      return database.snapshot(async (sql) => {
        if (!(await isLive(sql, indexId))) return undefined
        const filter = (await hasConversations(sql, indexId)) ? conversationFilter(audience) : audience.filter
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
      const withConversations = await hasConversations(database.reader, indexIdOf(collection))
      return withConversations ? conversationFilter(audience) : audience.filter
    },

    async *points(collection) {
      for (let after = 0; ; ) {
        const rows = await pointsAfter(database.reader, indexIdOf(collection), after, POINTS_PER_READ)
        if (rows.length > 0) yield rows.map(({ point }) => point)
        if (rows.length < POINTS_PER_READ) return
        after = rows.at(-1)!.id
      }
    },

    async pointContents(collection, pointIds) {
      const rows = await contentsOfPoints(database.reader, indexIdOf(collection), pointIds)
      return new Map(
        rows.map(({ point, text, metadata }) => [
          point,
          { text: readablePassage(text), metadata: JSON.parse(metadata) as Metadata },
        ]),
      )
    },

    async pointsWithTextOf(collection, pointIds) {
      const pairs = await pointsOfSameText(database.reader, indexIdOf(collection), pointIds)
      return new Map(
        [...Map.groupBy(pairs, ({ point }) => point)].map(([point, same]) => [
          point,
          same.map((pair) => pair.same),
        ]),
      )
    },

    async absentFields(collection, filter) {
      const wanted = new Map(pathsOf(filter).map((path) => [path.join('.'), path]))
      wanted.delete(CHAT_ID_KEY)
      for await (const chunks of eachVisible(database.reader, indexIdOf(collection), {})) {
        for (const { metadata } of chunks) {
          const parsed = JSON.parse(metadata) as Metadata
          for (const [name, path] of wanted)
            if (metadataValueAt(parsed, path) !== undefined) wanted.delete(name)
        }
        if (wanted.size === 0) break
      }
      return [...wanted.keys()]
    },

    async sources(namespace, { conversation, ...page }) {
      const index = await findIndex(database.reader, namespace)
      if (!index) return { rows: [], total: 0 }
      const listed = { ...page, range: conversation && conversationSources(conversation) }
      return database.snapshot(async (sql) => ({
        rows: (await listSources(sql, index.id, listed)).map((row) => ({
          ...row,
          source: originalSourceName(row.source),
        })),
        total: await countSources(sql, index.id, listed),
      }))
    },

    async chunks(namespace, { source, version, conversation, search, around, at, limit, ...page }) {
      const index = await findIndex(database.reader, namespace)
      if (!index) return { rows: [], total: 0, offset: 0 }
      const stored = source === undefined ? undefined : storedSourceName(source, conversation)
      const range = conversation && conversationSources(conversation)
      const listed = { source: stored, range, version, search }
      return database.snapshot(async (sql) => {
        const one = stored === undefined ? undefined : { source: stored, version }
        const place =
          one && around !== undefined
            ? await placeOfChunk(sql, index.id, one, around)
            : one && at !== undefined
              ? await placeOfPosition(sql, index.id, one, at)
              : undefined
        const offset = place === undefined ? page.offset : place - (place % limit)
        return {
          rows: (await listChunks(sql, index.id, { ...listed, offset, limit })).map((chunk) => ({
            id: chunkIdOf(chunk),
            source: originalSourceName(chunk.source),
            pageContent: textOfPassage(chunk.content),
            metadata: JSON.parse(chunk.metadata) as Metadata,
            range: rangeOf(chunk),
            outdatedAt: chunk.outdatedAt ?? undefined,
          })),
          total: await countListed(sql, index.id, listed),
          offset,
        }
      })
    },

    async text(namespace, { source, conversation, ...part }) {
      const index = await findIndex(database.reader, namespace)
      if (!index) return undefined
      return database.snapshot((sql) =>
        textOfSource(sql, index.id, storedSourceName(source, conversation), part),
      )
    },

    async original(namespace, { source, conversation }) {
      const index = await findIndex(database.reader, namespace)
      if (!index) return undefined
      return database.reader.get<KeptOriginal>(
        `SELECT original AS id, original_type AS type FROM sources
         WHERE index_id = $1 AND name = $2 AND chunks > 0 AND original IS NOT NULL`,
        index.id,
        storedSourceName(source, conversation),
      )
    },

    async loadSettings(namespace) {
      const index = await findIndex(database.reader, namespace)
      return index ? readLoadSettings(database.reader, index.id) : []
    },

    async countLoaded(namespace, which) {
      const index = await findIndex(database.reader, namespace)
      return index ? countLoaded(database.reader, index.id, which) : { sources: 0, originals: 0 }
    },

    async loadedWith(namespace, page) {
      const index = await findIndex(database.reader, namespace)
      return index ? listLoaded(database.reader, index.id, page) : []
    },

    async planRemoval(
      namespace,
      { source, sources = source === undefined ? [] : [source], filter, conversation, restorableUntil },
    ) {
      const index = await findIndex(database.reader, namespace)
      if (!index) return undefined
      const range = conversation && conversationSources(conversation)
      const named = [...new Set(sources.map((name) => storedSourceName(name, conversation)))]
      const removedChunkIds: number[] = []
      const updated = new Set<string>()
      const which = named.length === 0 ? { range } : { sources: named }
      for await (const chunks of eachVisible(database.reader, index.id, which))
        for (const { id, source: name, metadata } of chunks) {
          if (filter && !matches(filter, JSON.parse(metadata) as Metadata)) continue
          removedChunkIds.push(id)
          updated.add(name)
        }
      if (removedChunkIds.length === 0) return undefined
      const updatedSources = [...updated]
      // A file that lost chunks must be read again at its next upload. The sources name these files only if every file
      // has chunks under its own name; otherwise all files that may be meant are read again.
      const filesAreSources =
        named.length > 0 && filter === undefined && !(await filesHaveOtherSources(database.reader, index.id))
      return {
        embedder: index.embedder,
        removedChunkIds,
        updatedSources,
        invalidatedFiles: filesAreSources
          ? updatedSources
          : range
            ? await filesWithin(database.reader, index.id, range)
            : 'all',
        ...(named.length > 0 && !filter ? { restorableUntil } : {}),
      }
    },

    contents: () => contentsOf(database.reader),

    async planRestore(namespace, sources, now, scope) {
      const index = await findIndex(database.reader, namespace)
      if (!index) return undefined
      const stored = sources.map((source) => storedSourceName(source, scope))
      const found = await restorableSources(database.reader, index.id, stored, now)
      return found.length === 0 ? undefined : { embedder: index.embedder, sources: found }
    },

    unswept: () => {
      const now = clock()
      return database.snapshot((sql) => findUnswept(sql, { now, before: now - REBUILD_KEPT_MS }))
    },

    async sweeper(namespace) {
      const index = await inTurn(namespace, (sql) => findIndex(sql, namespace))
      return index && ledgerSweeper({ database, clock, index })
    },

    invisible: () => countInvisible(database.reader),

    chunksWithin: (fence) => chunksOfFence(database.reader, fence),

    namespacesWith: (conversation) =>
      namespacesWithSources(database.reader, conversationSources(conversation)),

    retire: (namespace) => inTurn(namespace, (sql) => removeIndex(sql, namespace)),

    async clearRetired(engine, drop) {
      for (const indexId of await retiredIndexes(database.reader, engine)) {
        await drop(`${indexId}`)
        for (let more = true; more; )
          more = await database.transaction((sql) => sweepRetired(sql, { indexId, limit: SWEEP_LIMIT }))
      }
    },
  }
}
