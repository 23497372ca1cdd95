import {
  ALL_CONVERSATIONS,
  CHAT_ID_KEY,
  conversationSources,
  isWithinFence,
  markOfFence,
} from '../../documents/conversation.ts'
import type { Metadata } from '../../contract/document.ts'
import type { Ledger } from '../../contract/ledger.ts'
import { metadataValueAt } from '../../vector/matches.ts'
import { pathsOf } from '../../vector/metadata-columns.ts'
import { indexIdOf, indexOf } from '../index-row.ts'
import type { SqlDatabase } from '../sql/session.ts'
import { listedReads } from './listed-reads.ts'
import { enginesWithRemoved, liveIndex } from './live-index.ts'
import { contentsOf, type SourceCounts } from './namespace-contents.ts'
import { pointReads } from './point-reads.ts'
import { removalPlans } from './removal-plans.ts'
import { eachVisible } from './visible-chunks.ts'

/** What differs between the databases: they stage, publish and sweep in their own ways. */
type OwnParts =
  | 'view'
  | 'open'
  | 'rebuild'
  | 'unswept'
  | 'sweeper'
  | 'invisible'
  | 'remove'
  | 'sweepRemoved'
  | 'noteRemovedPoints'

/** The reading half of a ledger, the same for both databases. */
export function ledgerReads(database: Pick<SqlDatabase, 'reader' | 'snapshot'>): Omit<Ledger, OwnParts> {
  const { reader } = database
  const counted: SourceCounts = new Map()
  return {
    ...pointReads(database),
    ...listedReads(database),
    ...removalPlans(database),

    async find(namespace) {
      const index = await liveIndex(reader, namespace)
      return index && indexOf(index)
    },

    async absentFields(collection, filter) {
      const wanted = new Map(pathsOf(filter).map((path) => [path.join('.'), path]))
      wanted.delete(CHAT_ID_KEY)
      const read = { columns: 'metadata' }
      for await (const chunks of eachVisible<{ metadata: string }>(reader, indexIdOf(collection), {}, read)) {
        for (const { metadata } of chunks) {
          const parsed = JSON.parse(metadata) as Metadata
          for (const [name, path] of wanted)
            if (metadataValueAt(parsed, path) !== undefined) wanted.delete(name)
        }
        if (wanted.size === 0) break
      }
      return [...wanted.keys()]
    },

    contents: () => contentsOf(reader, counted),

    removedEngines: () => enginesWithRemoved(reader),

    async chunksWithin(fence) {
      const rows = await reader.all<{ name: string; chunks: number }>(
        `SELECT name, sources.chunks FROM indexes JOIN sources ON index_id = indexes.id
         WHERE state = 'live' AND name >= ? AND name < ? AND replace(name, ?, '') <> name AND sources.chunks > 0`,
        ALL_CONVERSATIONS.from,
        ALL_CONVERSATIONS.before,
        markOfFence(fence),
      )
      return rows.reduce((sum, { name, chunks }) => sum + (isWithinFence(name, fence) ? chunks : 0), 0)
    },

    async namespacesWith(conversation) {
      const { from, before } = conversationSources(conversation)
      const rows = await reader.all<{ namespace: string }>(
        `SELECT namespace FROM indexes WHERE state = 'live' AND EXISTS
           (SELECT 1 FROM sources WHERE index_id = indexes.id AND name >= ? AND name < ?) ORDER BY namespace`,
        from,
        before,
      )
      return rows.map(({ namespace }) => namespace)
    },
  }
}
