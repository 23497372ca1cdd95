import type {
  IndexRequest,
  Ledger,
  LedgerRebuild,
  LedgerSweeper,
  LedgerWriter,
  StoreView,
} from '../../contract/ledger.ts'
import type { Clock } from '../../kit/clock.ts'
import { indexIdOf, type IndexRow, NO_INDEX } from '../index-row.ts'
import type { SqlDatabase, SqlWrite } from '../sql/session.ts'
import { type OpenRun, removeIndex } from './indexes.ts'
import { ledgerReads } from './ledger-reads.ts'
import { ledgerView } from './ledger-view.ts'
import { removedIndexes } from './live-index.ts'
import { noteRemoved } from './removed-collection.ts'
import { ledgerRebuild, openRebuild, type OpenRebuild } from './rebuild.ts'

/** What the databases do in their own ways: they stage and sweep apart, and in PostgreSQL a namespace has the turn of a node. */
export type LedgerParts = Pick<Ledger, 'open' | 'unswept' | 'invisible'> & {
  /** Does a write that changes a namespace. */
  write<Request, Result>(
    namespace: string,
    write: SqlWrite<Request, Result>,
    request: Request,
  ): Promise<Result>
  known(indexId: number): StoreView['known']
  writer(opened: OpenRun, request: IndexRequest): LedgerWriter
  rebuildReads(begun: OpenRebuild): Pick<LedgerRebuild, 'chunks' | 'text'>
  /** The index of a namespace that is to be swept. */
  find(namespace: string): Promise<IndexRow | undefined>
  sweeper(index: IndexRow, engineWords: boolean): LedgerSweeper
  /** Deletes some of a removed index; resolves with whether there is more. */
  sweepRemovedIndex(indexId: number): Promise<boolean>
  /** Gives space back to the file system. */
  vacuumStep(): Promise<void>
}

export function ledgerOf(sql: SqlDatabase, clock: Clock, parts: LedgerParts): Ledger {
  const { open, unswept, invisible } = parts
  return {
    ...ledgerReads(sql),
    ...{ open, unswept, invisible },

    view(index) {
      const key = index ? { id: indexIdOf(index.collection), dimensions: index.dimensions } : NO_INDEX
      return ledgerView(sql.reader, key, parts.known(key.id))
    },

    async rebuild(request) {
      const begun = await parts.write(request.namespace, openRebuild, { ...request, now: clock() })
      if (!begun) return undefined
      const reads = parts.rebuildReads(begun)
      return ledgerRebuild({ database: sql, clock, begun, writer: parts.writer(begun, request), reads })
    },

    async sweeper(namespace, engineWords = false) {
      const index = await parts.find(namespace)
      return index && parts.sweeper(index, engineWords)
    },

    noteRemovedPoints: (collection, has) => sql.write(noteRemoved, { indexId: indexIdOf(collection), has }),

    remove: (namespace) => parts.write(namespace, removeIndex, namespace),

    async sweepRemoved(engine, drop) {
      for (const indexId of await removedIndexes(sql.reader, engine)) {
        await drop(`${indexId}`)
        for (let more = true; more; ) more = await parts.sweepRemovedIndex(indexId)
        await parts.vacuumStep()
      }
    },
  }
}
