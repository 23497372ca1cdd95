import type { Ledger } from '../../contract/ledger.ts'
import type { NodeTurns } from '../../contract/leases.ts'
import type { Clock } from '../../kit/clock.ts'
import { openRun } from '../ledger/indexes.ts'
import { ledgerOf } from '../ledger/ledger.ts'
import { liveIndex } from '../ledger/live-index.ts'
import type { PostgresDatabase } from './database.ts'
import { countInvisible, findUnswept } from './invisible.ts'
import { requireTurn } from './leases.ts'
import { knownIn, ledgerRun, ledgerSweeper, ledgerWriter, SWEEP_LIMIT } from './ledger-run.ts'
import { rebuildReads } from './rebuild.ts'
import type { SqlSession } from './session.ts'
import { sweepRetired } from './sweep.ts'

/**
 * The ledger in PostgreSQL.
 *
 * @param turns the turns of this node: nothing begins in a namespace whose turn it does not have. What has begun is ended by the
 *   next turn, which abandons its run. Without them, there is one node.
 */
export function postgresLedger(
  database: PostgresDatabase,
  clock: Clock = Date.now,
  turns?: Pick<NodeTurns, 'held'>,
): Ledger {
  const { reader, sql } = database
  /** Does work that changes a namespace. @throws SluiceError `turn_lost` */
  const inTurn = <T>(namespace: string, work: (session: SqlSession) => Promise<T>): Promise<T> =>
    database.transaction(async (session) => {
      if (turns) await requireTurn(session, namespace, turns.held(namespace)?.epoch)
      return work(session)
    })
  return ledgerOf(sql, clock, {
    async open(request) {
      const opened = await inTurn(request.namespace, (session) =>
        openRun.run(session, { ...request, now: clock() }),
      )
      return ledgerRun({ database, clock, ...opened })
    },

    unswept: () => database.snapshot((session) => findUnswept(session, clock())),
    invisible: () => countInvisible(reader),
    write: (namespace, write, request) => inTurn(namespace, (session) => write.run(session, request)),
    known: (indexId) => knownIn(reader, indexId),
    writer: (opened) => ledgerWriter({ database, clock, ...opened }),
    rebuildReads: (begun) => rebuildReads(reader, begun),
    find: (namespace) => inTurn(namespace, (session) => liveIndex(session, namespace)),
    sweeper: (index) => ledgerSweeper({ database, clock, index }),
    sweepRetired: (indexId) =>
      database.transaction((session) => sweepRetired(session, { indexId, limit: SWEEP_LIMIT })),
    giveBack: async () => {},
  })
}
