import { type ChunkStore, embedderChanged } from '../contract/chunk-store.ts'
import {
  CHAT_ID_KEY,
  type Conversation,
  originalSourceName,
  conversationSources,
  storedSourceName,
} from '../contract/conversation.ts'
import type { Metadata } from '../contract/document.ts'
import {
  countListed,
  countSources,
  countVisible,
  eachVisible,
  filesHaveOtherSources,
  filesWithin,
  listChunks,
  listSources,
  namespacesWithSources,
} from '../db/sqlite/chunks.ts'
import type { Database } from '../db/sqlite/database.ts'
import { findIndex, type IndexRow, openRun, removeIndex } from '../db/sqlite/indexes.ts'
import { openRebuild, retireStaleRebuild } from '../db/sqlite/rebuild.ts'
import { sweepIndex, sweepRetired } from '../db/sqlite/sweep.ts'
import { catchUpText } from '../db/sqlite/text-backlog.ts'
import { isBehind } from '../db/sqlite/text-index.ts'
import type { Clock } from '../kit/clock.ts'
import { uuidOf } from '../kit/hash.ts'
import { matches } from '../vector/matches.ts'
import { builtInRebuild } from './built-in-rebuild.ts'
import { builtInRun, builtInView } from './built-in-run.ts'
import { builtInSearch } from './built-in-search.ts'
import { createImages } from './images.ts'

/** The stores of this product, one per namespace, all in one database. */
export type BuiltInStores = {
  open(namespace: string): ChunkStore
  /** The namespaces that hold something of a conversation. */
  namespacesWith(conversation: Conversation): string[]
  /** Takes a namespace away with all it holds. */
  drop(namespace: string): Promise<void>
  /** Takes away what earlier processes have left behind. */
  tidy(): Promise<void>
}

/** How many chunks one write takes away at most, so that other writes get their turn. */
const SWEEP_LIMIT = 500

/** How long a half-made index waits for the attempt that finishes it, in milliseconds. */
const REBUILD_KEPT = 24 * 3_600_000

/** Stands for an index that is not there yet: no row has this id. */
const NO_INDEX = { id: -1, dimensions: null }

export function builtInStores(database: Database, clock: Clock = Date.now): BuiltInStores {
  const { reader } = database
  const images = createImages(reader)

  /** The search image follows what was published, then the rows that no reader sees any more go. */
  async function sweep(indexId: number): Promise<void> {
    await images.follow(indexId)
    for (let more = true; more; ) more = await database.write(sweepIndex, { indexId, limit: SWEEP_LIMIT })
    await database.write(retireStaleRebuild, { indexId, before: clock() - REBUILD_KEPT })
    await tidy()
    await database.giveBack()
  }

  /** Queries and the start share one way through what an earlier text index has left to do. */
  let catchingUp: Promise<void> | undefined
  function catchUp(): Promise<void> {
    catchingUp ??= (async () => {
      for (let more = true; more; ) more = await database.write(catchUpText, undefined)
    })().finally(() => {
      catchingUp = undefined
    })
    return catchingUp
  }

  async function tidy(): Promise<void> {
    await catchUp()
    for (let more = true; more; ) more = await database.write(sweepRetired, { limit: SWEEP_LIMIT })
  }

  function open(namespace: string): ChunkStore {
    const find = () => findIndex(reader, namespace)
    /** An index in which readers see nothing is in nobody's way. */
    const refuse = ({ id, embedder: was }: IndexRow, now: string) => {
      if (countVisible(reader, id) > 0) throw embedderChanged({ namespace, was, now })
    }
    const begin = async (embedder: string) => {
      const before = find()
      const { run, index } = await database.write(openRun, { namespace, embedder, now: clock() })
      if (before && before.id !== index.id) images.forget(before.id)
      return builtInRun({ database, clock, index, run, sweep: () => sweep(index.id) })
    }

    return {
      namespace,
      open: begin,

      async view(embedder) {
        const index = find()
        if (!index || index.embedder === embedder) return builtInView(reader, index ?? NO_INDEX)
        refuse(index, embedder)
        return builtInView(reader, NO_INDEX)
      },

      async rebuild(embedder) {
        const begun = await database.write(openRebuild, { namespace, embedder, now: clock() })
        if (!begun) return undefined
        const { old, index, run } = begun
        const writing = builtInRun({ database, clock, index, run, sweep: () => sweep(index.id) })
        return builtInRebuild({ database, clock, begun, writing, replaced: () => images.forget(old.id) })
      },

      async search(request) {
        for (let attempt = 0; ; attempt++) {
          const index = find()
          if (!index) return []
          if (request.embedder !== undefined && request.embedder !== index.embedder)
            refuse(index, request.embedder)
          if (request.text !== undefined && isBehind(reader, index.id)) await catchUp()
          const found = await builtInSearch(reader, images, index, request, attempt)
          if (found) return found
        }
      },

      async absentFields(filter) {
        const index = find()
        if (!index || countVisible(reader, index.id) === 0) return []
        // Whether others have conversations is not told.
        return (await images.metadata(index.id, filter))
          .absent(filter)
          .filter((field) => field !== CHAT_ID_KEY)
      },

      async embedder() {
        const index = find()
        return index && countVisible(reader, index.id) > 0 ? index.embedder : undefined
      },

      async sources({ conversation, ...page }) {
        const index = find()
        if (!index) return { rows: [], total: 0 }
        const range = conversation && conversationSources(conversation)
        return reader.snapshot(() => ({
          rows: listSources(reader, index.id, { ...page, range }).map((row) => ({
            ...row,
            source: originalSourceName(row.source),
          })),
          total: countSources(reader, index.id, range),
        }))
      },

      async chunks({ source, conversation, ...page }) {
        const index = find()
        if (!index) return { rows: [], total: 0 }
        const range = conversation && conversationSources(conversation)
        const listed = {
          source: source === undefined ? undefined : storedSourceName(source, conversation),
          range,
        }
        return reader.snapshot(() => ({
          rows: listChunks(reader, index.id, { ...listed, ...page }).map(
            ({ hash, content, source, metadata, metadataHash }) => ({
              id: uuidOf(`${source}\n${hash}\n${metadataHash}`),
              source: originalSourceName(source),
              pageContent: content,
              metadata: JSON.parse(metadata) as Metadata,
            }),
          ),
          total: countListed(reader, index.id, listed),
        }))
      },

      async remove({ source, sources = source === undefined ? [] : [source], filter, conversation }) {
        const index = find()
        if (!index) return 0
        const range = conversation && conversationSources(conversation)
        const found =
          sources.length === 0
            ? [...eachVisible(reader, index.id, { source: undefined, range })]
            : [...new Set(sources)].flatMap((name) => [
                ...eachVisible(reader, index.id, { source: storedSourceName(name, conversation), range }),
              ])
        const chunks = found.filter(
          (chunk) => !filter || matches(filter, JSON.parse(chunk.metadata) as Metadata),
        )
        if (chunks.length === 0) return 0
        const run = await begin(index.embedder)
        const updatedSources = [...new Set(chunks.map((chunk) => chunk.source))]
        // What a file brought is no longer all there: it is read again when it comes again. Where files have brought
        // chunks under other sources than their names, it cannot be told which.
        const named = sources.length > 0 && filter === undefined && !filesHaveOtherSources(reader, index.id)
        await run.publish({
          stagedCount: 0,
          removedChunkIds: chunks.map((chunk) => chunk.id),
          files: [],
          updatedSources,
          invalidatedFiles: named ? updatedSources : range ? filesWithin(reader, index.id, range) : 'all',
        })
        await run.sweep()
        return chunks.length
      },
    }
  }

  return {
    open,
    namespacesWith: (conversation) => namespacesWithSources(reader, conversationSources(conversation)),
    async drop(namespace) {
      const index = findIndex(reader, namespace)
      if (!index) return
      await database.write(removeIndex, namespace)
      images.forget(index.id)
      await tidy()
      await database.giveBack()
    },
    tidy,
  }
}
