import { hostname } from 'node:os'
import { JOB_CHANGED, JOB_WAITS } from '../../contract/job-queue.ts'
import type { Cluster } from '../../contract/cluster.ts'
import type { Lease } from '../../contract/leases.ts'
import { reasonOf, SluiceError } from '../../kit/errors.ts'
import type { Log } from '../../kit/log.ts'
import type { PostgresDatabase } from './database.ts'
import { createDoorbell } from './doorbell.ts'
import { askToCancelJob, claimJob, noteJobFiles, openJobs } from './job-queue.ts'
import { releaseLease, removeDeadMembers, stopWaiting, takeLease, waitForLease } from './leases.ts'
import { CHANNEL, liveAsMember, type MemberLife } from './member-life.ts'
import type { SqlSession } from './session.ts'

/** After how long without a word a member is dead, and how often it says that it is alive, in milliseconds. */
const HEARTBEAT = { deadAfterMs: 3000, beatMs: 400 }

/** Rung when a lease became free. */
const LEASE_FREE = 'turns'

/** This process among the members of a database. */
export type ClusterMember = Cluster & {
  /** Resolves when this member is known to the others. @throws SluiceError `stopping` */
  ready(): Promise<void>
  /** Others may take the leases of this member from now on. */
  close(): Promise<void>
}

export type MemberOptions = {
  database: PostgresDatabase
  /** As in DATABASE_URL: that of `database`, without a pooler in transaction mode. */
  address: string
  log: Pick<Log, 'warn'>
} & Partial<typeof HEARTBEAT>

export function joinCluster(options: MemberOptions): ClusterMember {
  const { database, address, log, deadAfterMs, beatMs } = { ...HEARTBEAT, ...options }
  const { transaction, writer } = database
  const stop = new AbortController()
  const stopped = rejection(stop.signal).promise
  const doorbell = createDoorbell((topics) =>
    writer.run('SELECT pg_notify($1, topic) FROM unnest($2::text[]) AS topic', CHANNEL, topics),
  )
  /** What work of this process has: also lost leases until they are released, since their work may not have noticed. */
  const held = new Map<string, Lease>()
  const asking = new Set<string>()
  let present: MemberLife | undefined
  let beginning = Promise.withResolvers<MemberLife>()
  let removing = false
  let takeovers = 0

  /** Not awaited by the beat, which must not wait for the locks of others. */
  async function removeDead({ id }: MemberLife): Promise<void> {
    if (removing) return
    removing = true
    const { freed, isNew } = await transaction((sql) => removeDeadMembers(sql, id, deadAfterMs)).catch(
      () => ({
        freed: 0,
        isNew: false,
      }),
    )
    removing = false
    takeovers += freed
    if (isNew) ringForLeases()
  }

  const living = liveAsMember(
    {
      address,
      name: `${hostname()}:${process.pid}`,
      deadAfterMs,
      beatMs,
      onLife(begun) {
        if (begun.lost.aborted) return
        begun.lost.addEventListener('abort', () => {
          present = undefined
          beginning = Promise.withResolvers<MemberLife>()
        })
        present = begun
        beginning.resolve(begun)
        // Rings may have been missed before.
        for (const topic of [LEASE_FREE, JOB_WAITS, JOB_CHANGED]) doorbell.answer(topic)
      },
      onRing: doorbell.answer,
      onLost: (error) => log.warn('node-connection-lost', { reason: reasonOf(error) }),
      onBeat: (life) => void removeDead(life),
    },
    stop.signal,
  )

  function ringForLeases(): void {
    doorbell.ring(LEASE_FREE)
    doorbell.ring(JOB_WAITS)
  }

  async function alive(): Promise<MemberLife> {
    stop.signal.throwIfAborted()
    return present ?? Promise.race([beginning.promise, stopped])
  }

  /**
   * Runs a transaction that takes a lease. Where it is unknown whether that was stored, this life of the member ends: otherwise a live
   * member would hold a lease that it does not know.
   */
  async function taking<T>(life: MemberLife, work: (sql: SqlSession) => Promise<T>): Promise<T> {
    try {
      return await transaction(work)
    } catch (error) {
      if (error instanceof SluiceError && error.code === 'database_answer_lost') life.end()
      throw error
    }
  }

  function hold(namespace: string, epoch: number, life: MemberLife): Lease {
    const lost = new AbortController()
    const lose = () => lost.abort(new SluiceError('turn_lost', { namespace }))
    if (life.lost.aborted) lose()
    else life.lost.addEventListener('abort', lose)
    const lease: Lease = {
      namespace,
      epoch,
      lost: lost.signal,
      async release() {
        if (held.get(namespace) !== lease) return
        life.lost.removeEventListener('abort', lose)
        await releaseLease(writer, namespace, epoch).catch(() => life.end())
        held.delete(namespace)
        ringForLeases()
      },
    }
    held.set(namespace, lease)
    return lease
  }

  async function takeNow(namespace: string, willWait: boolean): Promise<Lease | undefined> {
    if (held.has(namespace) || asking.has(namespace)) return undefined
    asking.add(namespace)
    try {
      const life = await alive()
      const epoch = await taking(life, async (sql) => {
        const taken = await takeLease(sql, life.id, namespace)
        if (willWait)
          await (taken === undefined
            ? waitForLease(sql, life.id, namespace)
            : stopWaiting(sql, life.id, namespace))
        return taken
      })
      return epoch === undefined ? undefined : hold(namespace, epoch, life)
    } finally {
      asking.delete(namespace)
    }
  }

  async function take(namespace: string, signal?: AbortSignal): Promise<Lease> {
    const aborted = rejection(signal ? AbortSignal.any([signal, stop.signal]) : stop.signal)
    let rung = Promise.withResolvers<void>()
    const endCalls = doorbell.listen(LEASE_FREE, () => rung.resolve())
    try {
      for (;;) {
        rung = Promise.withResolvers<void>()
        const taken = takeNow(namespace, true)
        const lease = await Promise.race([taken, aborted.promise]).catch((error: unknown) => {
          // The statement goes on: a lease that it takes is given back.
          void taken.then((late) => late?.release()).catch(() => {})
          throw error
        })
        if (lease) return lease
        await Promise.race([rung.promise, aborted.promise])
      }
    } catch (error) {
      // Where this fails, others wait for five seconds more.
      if (present) await stopWaiting(writer, present.id, namespace).catch(() => {})
      throw error
    } finally {
      endCalls()
      aborted.end()
    }
  }

  return {
    doorbell,
    leases: { take, held: (namespace) => held.get(namespace) },
    async alone(name, work) {
      const lease = await takeNow(`only on one member: ${name}`, false)
      if (!lease) return
      try {
        await work()
      } finally {
        await lease.release()
      }
    },
    queue: {
      async claim(now, { idleOnly = false, folders } = {}) {
        const life = await alive()
        const busy = [...held.keys(), ...asking]
        const claimed = await taking(life, (sql) => claimJob(sql, life.id, { now, busy, idleOnly, folders }))
        return claimed && { job: claimed.job, lease: hold(claimed.job.namespace, claimed.epoch, life) }
      },
      open: () => openJobs(database.reader),
      async cancel(id) {
        await askToCancelJob(writer, id)
      },
      async noteFiles(id, files, changes) {
        await noteJobFiles(writer, { id, files, changes })
      },
    },
    figures: () => ({ leases: { held: held.size, asked: asking.size }, takeovers }),
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
