import { hostname } from 'node:os'
import { JOB_CHANGED, JOB_WAITS } from '../../contract/job-queue.ts'
import type { Nodes } from '../../contract/cluster.ts'
import type { NodeTurn } from '../../contract/leases.ts'
import { reasonOf, SluiceError } from '../../kit/errors.ts'
import type { Log } from '../../kit/log.ts'
import type { PostgresDatabase } from './database.ts'
import { createDoorbell } from './doorbell.ts'
import { askToCancelJob, claimJob, noteJobFiles, openJobs } from './job-queue.ts'
import { giveLaneBack, reapNodes, stopWaiting, takeLane, waitForLane } from './leases.ts'
import { CHANNEL, liveAsNode, type NodeLife } from './member-life.ts'
import type { SqlSession } from './session.ts'

/** After how long without a word a node is dead, and how often it says that it is alive, in milliseconds. */
const LEASE = { leaseMs: 3000, beatMs: 400 }

/** Rung when a turn became free. */
const TURN_FREE = 'turns'

/** This process among the nodes of a database. */
export type PostgresNode = Nodes & {
  /** Resolves when this node is known to the others. @throws SluiceError `stopping` */
  ready(): Promise<void>
  /** Others may take the turns of this node from now on. */
  close(): Promise<void>
}

export type NodeOptions = {
  database: PostgresDatabase
  /** As in DATABASE_URL: that of `database`, without a pooler in transaction mode. */
  address: string
  log: Pick<Log, 'warn'>
} & Partial<typeof LEASE>

export function openNode(options: NodeOptions): PostgresNode {
  const { database, address, log, leaseMs, beatMs } = { ...LEASE, ...options }
  const { transaction, writer } = database
  const stop = new AbortController()
  const stopped = rejection(stop.signal).promise
  const doorbell = createDoorbell((topics) =>
    writer.run('SELECT pg_notify($1, topic) FROM unnest($2::text[]) AS topic', CHANNEL, topics),
  )
  /** What work of this process has: also lost turns until they are released, since their work may not have noticed. */
  const held = new Map<string, NodeTurn>()
  const asking = new Set<string>()
  let present: NodeLife | undefined
  let beginning = Promise.withResolvers<NodeLife>()
  let reaping = false
  let takeovers = 0

  /** Not awaited by the beat, which must not wait for the locks of others. */
  async function reap({ id }: NodeLife): Promise<void> {
    if (reaping) return
    reaping = true
    const { freed, isNew } = await transaction((sql) => reapNodes(sql, id, leaseMs)).catch(() => ({
      freed: 0,
      isNew: false,
    }))
    reaping = false
    takeovers += freed
    if (isNew) ringForTurns()
  }

  const living = liveAsNode(
    {
      address,
      name: `${hostname()}:${process.pid}`,
      leaseMs,
      beatMs,
      onLife(begun) {
        if (begun.lost.aborted) return
        begun.lost.addEventListener('abort', () => {
          present = undefined
          beginning = Promise.withResolvers<NodeLife>()
        })
        present = begun
        beginning.resolve(begun)
        // Rings may have been missed before.
        for (const topic of [TURN_FREE, JOB_WAITS, JOB_CHANGED]) doorbell.answer(topic)
      },
      onRing: doorbell.answer,
      onLost: (error) => log.warn('node-connection-lost', { reason: reasonOf(error) }),
      onBeat: (life) => void reap(life),
    },
    stop.signal,
  )

  function ringForTurns(): void {
    doorbell.ring(TURN_FREE)
    doorbell.ring(JOB_WAITS)
  }

  async function alive(): Promise<NodeLife> {
    stop.signal.throwIfAborted()
    return present ?? Promise.race([beginning.promise, stopped])
  }

  /**
   * Runs a transaction that takes a turn. Where it is unknown whether that was stored, this life of the node ends: otherwise a live
   * node would hold a turn that it does not know.
   */
  async function taking<T>(life: NodeLife, work: (sql: SqlSession) => Promise<T>): Promise<T> {
    try {
      return await transaction(work)
    } catch (error) {
      if (error instanceof SluiceError && error.code === 'database_answer_lost') life.end()
      throw error
    }
  }

  function hold(lane: string, epoch: number, life: NodeLife): NodeTurn {
    const lost = new AbortController()
    const lose = () => lost.abort(new SluiceError('turn_lost', { namespace: lane }))
    if (life.lost.aborted) lose()
    else life.lost.addEventListener('abort', lose)
    const turn: NodeTurn = {
      lane,
      epoch,
      lost: lost.signal,
      async release() {
        if (held.get(lane) !== turn) return
        life.lost.removeEventListener('abort', lose)
        await giveLaneBack(writer, lane, epoch).catch(() => life.end())
        held.delete(lane)
        ringForTurns()
      },
    }
    held.set(lane, turn)
    return turn
  }

  async function takeNow(lane: string, willWait: boolean): Promise<NodeTurn | undefined> {
    if (held.has(lane) || asking.has(lane)) return undefined
    asking.add(lane)
    try {
      const life = await alive()
      const epoch = await taking(life, async (sql) => {
        const taken = await takeLane(sql, life.id, lane)
        if (willWait)
          await (taken === undefined ? waitForLane(sql, life.id, lane) : stopWaiting(sql, life.id, lane))
        return taken
      })
      return epoch === undefined ? undefined : hold(lane, epoch, life)
    } finally {
      asking.delete(lane)
    }
  }

  async function take(lane: string, signal?: AbortSignal): Promise<NodeTurn> {
    const aborted = rejection(signal ? AbortSignal.any([signal, stop.signal]) : stop.signal)
    let rung = Promise.withResolvers<void>()
    const endCalls = doorbell.listen(TURN_FREE, () => rung.resolve())
    try {
      for (;;) {
        rung = Promise.withResolvers<void>()
        const taken = takeNow(lane, true)
        const turn = await Promise.race([taken, aborted.promise]).catch((error: unknown) => {
          // The statement goes on: a turn that it takes is given back.
          void taken.then((late) => late?.release()).catch(() => {})
          throw error
        })
        if (turn) return turn
        await Promise.race([rung.promise, aborted.promise])
      }
    } catch (error) {
      // Where this fails, others wait for five seconds more.
      if (present) await stopWaiting(writer, present.id, lane).catch(() => {})
      throw error
    } finally {
      endCalls()
      aborted.end()
    }
  }

  return {
    doorbell,
    turns: { take, held: (lane) => held.get(lane) },
    async alone(name, work) {
      const turn = await takeNow(`only on one node: ${name}`, false)
      if (!turn) return
      try {
        await work()
      } finally {
        await turn.release()
      }
    },
    queue: {
      async claim(now, { idleOnly = false, folders } = {}) {
        const life = await alive()
        const busy = [...held.keys(), ...asking]
        const claimed = await taking(life, (sql) => claimJob(sql, life.id, { now, busy, idleOnly, folders }))
        return claimed && { job: claimed.job, turn: hold(claimed.job.namespace, claimed.epoch, life) }
      },
      open: () => openJobs(database.reader),
      async cancel(id) {
        await askToCancelJob(writer, id)
      },
      async noteFiles(id, files, turn) {
        await noteJobFiles(writer, { id, files, turn })
      },
    },
    figures: () => ({ turns: { held: held.size, asked: asking.size }, takeovers }),
    async ready() {
      await alive()
    },
    async close() {
      stop.abort(new SluiceError('stopping'))
      doorbell.close()
      await living
    },
  }
}

/** A promise that rejects when a signal aborts, until `end` is called. */
function rejection(signal: AbortSignal): { promise: Promise<never>; end(): void } {
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort)
  promise.catch(() => {})
  return { promise, end: () => signal.removeEventListener('abort', abort) }
}
