import { setImmediate } from 'node:timers/promises'
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
import type { Clock } from '../../kit/clock.ts'
import { metadataValueAt, matches } from '../../vector/matches.ts'
import { pathsOf } from '../../vector/metadata-columns.ts'
import { indexIdOf, indexOf, NO_INDEX } from '../index-row.ts'
import { rangeOf } from '../text-range.ts'
import {
  chunksOfFence,
  chunksOfPoints,
  contentsOfPoints,
  filesHaveOtherSources,
  filesWithin,
  hasConversations,
  namespacesWithSources,
  pointsAfter,
  pointsOfSameText,
} from './chunks.ts'
import { countListed, listChunks, placeOfChunk, placeOfPosition } from './chunk-list.ts'
import type { Database } from './database.ts'
import { contentsOf, type SourceCounts } from './namespace-contents.ts'
import { findIndex, isLive, openRun, openRunInIndex, removeIndex, retiredIndexes } from './indexes.ts'
import { ledgerRebuild } from './ledger-rebuild.ts'
import { countInvisible, findUnswept } from './invisible.ts'
import { ledgerRun, ledgerSweeper, ledgerView, REBUILD_KEPT_MS, SWEEP_LIMIT } from './ledger-run.ts'
import { openRebuild } from './rebuild.ts'
import { restorableSources } from './removed-sources.ts'
import { countSources, listSources } from './source-list.ts'
import { countLoaded, listLoaded, readLoadSettings } from './source-loads.ts'
import { textOfSource } from './source-text.ts'
import { sweepRetired } from './sweep.ts'
import { eachVisible } from './visible-chunks.ts'

/** How many point ids one read brings. */
const POINTS_PER_READ = 1000

/** The ledger in SQLite: tables of `schema.ts`, read here and written by the writing thread. */
export function sqliteLedger(database: Database, clock: Clock = Date.now): Ledger {
  const { reader } = database
  const counted: SourceCounts = new Map()
  return {
    async find(namespace) {
      const index = findIndex(reader, namespace)
      return index && indexOf(index)
    },

    view: (index) =>
      ledgerView(
        reader,
        index ? { id: indexIdOf(index.collection), dimensions: index.dimensions } : NO_INDEX,
      ),

    async open(request) {
      const found = findIndex(reader, request.namespace)
      const stays = found?.embedder === request.embedder && found.engine === request.engine
      const { run, index } = await database.write(stays ? openRunInIndex : openRun, {
        ...request,
        now: clock(),
      })
      return ledgerRun({ database, clock, index, run })
    },

    async rebuild(request) {
      const begun = await database.write(openRebuild, { ...request, now: clock() })
      return begun && ledgerRebuild({ database, clock, begun })
    },

    async read(collection, pointIds, audience) {
      const indexId = indexIdOf(collection)
      return reader.snapshot(() => {
        if (!isLive(reader, indexId)) return undefined
        const filter = hasConversations(reader, indexId) ? conversationFilter(audience) : audience.filter
        const found = new Map<string, FoundDocument>()
        for (const { point, content, metadata } of chunksOfPoints(reader, indexId, pointIds)) {
          const parsed = JSON.parse(metadata) as Metadata
          if (!filter || matches(filter, parsed))
            found.set(point, { ...shownPassage(content), metadata: parsed })
        }
        return found
      })
    },

    async filterFor(collection, audience) {
      return hasConversations(reader, indexIdOf(collection)) ? conversationFilter(audience) : audience.filter
    },

    async *points(collection) {
      for (let after = 0; ; ) {
        const rows = pointsAfter(reader, indexIdOf(collection), after, POINTS_PER_READ)
        if (rows.length > 0) yield rows.map(({ point }) => point)
        if (rows.length < POINTS_PER_READ) return
        after = rows.at(-1)!.id
        await setImmediate()
      }
    },

    async pointContents(collection, pointIds) {
      const rows = contentsOfPoints(reader, indexIdOf(collection), pointIds)
      return new Map(
        rows.map(({ point, text, metadata }) => [
          point,
          { text: readablePassage(text), metadata: JSON.parse(metadata) as Metadata },
        ]),
      )
    },

    async pointsWithTextOf(collection, pointIds) {
      const pairs = pointsOfSameText(reader, indexIdOf(collection), pointIds)
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
      for await (const chunks of eachVisible(reader, indexIdOf(collection), {})) {
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
      const index = findIndex(reader, namespace)
      if (!index) return { rows: [], total: 0 }
      const range = conversation && conversationSources(conversation)
      return reader.snapshot(() => ({
        rows: listSources(reader, index.id, { ...page, range }).map((row) => ({
          ...row,
          source: originalSourceName(row.source),
        })),
        total: countSources(reader, index.id, { ...page, range }),
      }))
    },

    async chunks(namespace, { source, version, conversation, search, around, at, limit, ...page }) {
      const index = findIndex(reader, namespace)
      if (!index) return { rows: [], total: 0, offset: 0 }
      const range = conversation && conversationSources(conversation)
      const stored = source === undefined ? undefined : storedSourceName(source, conversation)
      const listed = { source: stored, range, version, search }
      const one = stored === undefined ? undefined : { source: stored, version }
      const place =
        one && around !== undefined
          ? await placeOfChunk(reader, index.id, one, around)
          : one && at !== undefined
            ? placeOfPosition(reader, index.id, one, at)
            : undefined
      const offset = place === undefined ? page.offset : place - (place % limit)
      return reader.snapshot(() => ({
        rows: listChunks(reader, index.id, { ...listed, offset, limit }).map((chunk) => ({
          id: chunkIdOf(chunk),
          source: originalSourceName(chunk.source),
          pageContent: textOfPassage(chunk.content),
          metadata: JSON.parse(chunk.metadata) as Metadata,
          range: rangeOf(chunk),
          outdatedAt: chunk.outdatedAt ?? undefined,
        })),
        total: countListed(reader, index.id, listed),
        offset,
      }))
    },

    async text(namespace, { source, conversation, ...part }) {
      const index = findIndex(reader, namespace)
      if (!index) return undefined
      return reader.snapshot(() =>
        textOfSource(reader, index.id, storedSourceName(source, conversation), part),
      )
    },

    async original(namespace, { source, conversation }) {
      const index = findIndex(reader, namespace)
      return (
        index &&
        reader.get<KeptOriginal>(
          `SELECT original AS id, original_type AS type FROM sources
           WHERE index_id = ? AND name = ? AND chunks > 0 AND original IS NOT NULL`,
          index.id,
          storedSourceName(source, conversation),
        )
      )
    },

    async loadSettings(namespace) {
      const index = findIndex(reader, namespace)
      return index ? readLoadSettings(reader, index.id) : []
    },

    async countLoaded(namespace, which) {
      const index = findIndex(reader, namespace)
      return index ? countLoaded(reader, index.id, which) : { sources: 0, originals: 0 }
    },

    async loadedWith(namespace, page) {
      const index = findIndex(reader, namespace)
      return index ? listLoaded(reader, index.id, page) : []
    },

    async planRemoval(
      namespace,
      { source, sources = source === undefined ? [] : [source], filter, conversation, restorableUntil },
    ) {
      const index = findIndex(reader, namespace)
      if (!index) return undefined
      const range = conversation && conversationSources(conversation)
      const named = sources.map((name) => storedSourceName(name, conversation))
      const removedChunkIds: number[] = []
      const updated = new Set<string>()
      // The turn of the namespace: nothing else is published there meanwhile.
      const which = named.length === 0 ? { range } : { sources: named }
      for await (const chunks of eachVisible(reader, index.id, which))
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
        sources.length > 0 && filter === undefined && !filesHaveOtherSources(reader, index.id)
      return {
        embedder: index.embedder,
        removedChunkIds,
        updatedSources,
        invalidatedFiles: filesAreSources
          ? updatedSources
          : range
            ? filesWithin(reader, index.id, range)
            : 'all',
        ...(sources.length > 0 && !filter ? { restorableUntil } : {}),
      }
    },

    async contents() {
      return contentsOf(reader, counted)
    },

    async planRestore(namespace, sources, now, scope) {
      const index = findIndex(reader, namespace)
      if (!index) return undefined
      const stored = sources.map((source) => storedSourceName(source, scope))
      const found = restorableSources(reader, index.id, stored, now)
      return found.length === 0 ? undefined : { embedder: index.embedder, sources: found }
    },

    async unswept() {
      const now = clock()
      return findUnswept(reader, { now, before: now - REBUILD_KEPT_MS })
    },

    async sweeper(namespace) {
      const index = findIndex(reader, namespace)
      return index && ledgerSweeper({ database, clock, index })
    },

    invisible: () => countInvisible(reader),

    async chunksWithin(fence) {
      return chunksOfFence(reader, fence)
    },

    async namespacesWith(conversation) {
      return namespacesWithSources(reader, conversationSources(conversation))
    },

    retire: (namespace) => database.write(removeIndex, namespace),

    async clearRetired(engine, drop) {
      for (const indexId of retiredIndexes(reader, engine)) {
        await drop(`${indexId}`)
        for (let more = true; more; )
          more = await database.write(sweepRetired, { indexId, limit: SWEEP_LIMIT })
        await database.giveBack()
      }
    },
  }
}
