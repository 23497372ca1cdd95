import { existsSync, statSync } from 'node:fs'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { DATA_FILES } from '../../contract/data-files.ts'
import { type ErrorCode, reasonOf, SluiceError, type ErrorFacts } from '../../kit/errors.ts'
import { besideModule, threadSource } from '../../kit/module.ts'
import { Connection } from './connection.ts'
import { makeDirectory, makePrivateFile } from '../directory.ts'
import { type DiskGuard, openWithReserve } from '../disk-guard.ts'
import { isMarked, markDirectory, readMarker } from '../marker.ts'
import type { SqlDatabase } from '../sql/session.ts'
import { isDamage, isFull } from '../../kit/storage-failure.ts'
import { refuseCutShort, RESTORE } from './file-size.ts'
import { countStart, refuseReplaced } from './identity.ts'
import { createLogCopier } from './log-copier.ts'
import { refuseLostLogOfOwner } from './log-check.ts'
import { isUpgraded, migrate, schemaVersion } from './migrations.ts'
import { dropSmallStatistics } from './statistics.ts'
import { backupBeforeUpgrade, type UpgradeOptions } from './upgrade-backup.ts'
import { onThread, sessionOf } from './sql.ts'
import type { Write } from './write.ts'

/**
 * The embedded database: one file, many readers, one writer. Reads run here, synchronously, on a read-only
 * connection. Writes are named operations that a thread runs one after another, each as a transaction, so that no write
 * blocks a request.
 */
export type Database = {
  readonly file: string
  readonly reader: Connection
  /** What repositories use of it that are the same for both databases. */
  readonly sql: SqlDatabase
  /** Resolves with the result of the write when it is committed. */
  write<Request, Result>(
    write: Write<Request, Result>,
    request: Request,
    transfer?: ArrayBuffer[],
  ): Promise<Result>
  /** Whether the reader and the writing thread answer. */
  isAlive(): Promise<boolean>
  /** From now on writes are refused with `database_damaged`, since they could damage more. */
  noteDamage(): void
  /** Why writes that need space are refused now; undefined while there is space, or no guard. */
  shortage(): SluiceError | undefined
  /** Whether a file of so many bytes may be written beside the database. */
  hasRoom(bytes: number): boolean
  /** Runs work that ends or frees something: now, or when there is space again. */
  whenRoom(work: () => Promise<unknown>): Promise<void>
  /** Gives pages that nothing uses, and a long log, back to the file system. */
  vacuumStep(): Promise<void>
  close(): Promise<void>
}

/** The answer of the writing thread. */
export type WriteAnswer = { id: number; result: unknown } | { id: number; error: WriteFailure }

/** A failure of a write: its row in the error table, if it has one, and the error as it was thrown there. */
export type WriteFailure = { known?: { code: ErrorCode; facts: ErrorFacts }; thrown: ThrownThere }

/** An error as it is sent from a thread. */
export type ThrownThere = {
  name: string
  message: string
  stack: string | undefined
  code: string | undefined
}

/**
 * Opens the database of a data directory, making both where there are none.
 *
 * @param guard given by a server, which has locked the directory: it watches the disk, and is closed with the database
 * @param upgrade what happens before the schema of an earlier version is changed: a backup unless given
 * @throws SluiceError `data_dir_unusable`, `database_unusable`, `database_newer`, `database_older`, `database_gone`,
 *   `upgrade_not_backed_up`, `database_replaced`, `database_log_lost`, `restore_unfinished`, `storage_full`
 */
export function openDatabase(directory: string, guard?: DiskGuard, upgrade: UpgradeOptions = {}): Database {
  const file = path.join(directory, DATA_FILES.database)
  makeDirectory(directory)
  const reader = openWithReserve(directory, () => openReader(file, guard !== undefined, upgrade))
  const worker = new Worker(threadSource(besideModule(import.meta.url, './writer-thread')), {
    eval: true,
    workerData: { file },
    execArgv: ['--no-warnings'],
    // A small young generation: the garbage of one batch is collected before the next.
    resourceLimits: { maxYoungGenerationSizeMb: 12 },
  })
  const waiting = new Map<number, PromiseWithResolvers<unknown> & { name: string }>()
  const log = createLogCopier(file)
  let nextId = 0
  let closed = false
  let broken: Error | undefined
  let damaged = false

  worker.on('message', (answer: WriteAnswer) => {
    const call = waiting.get(answer.id)!
    waiting.delete(answer.id)
    if (waiting.size === 0) worker.unref()
    if ('result' in answer) call.resolve(answer.result)
    else call.reject(asFailure(call.name, answer.error))
  })
  worker.on('error', (error: Error) => {
    broken = error
    for (const call of waiting.values()) call.reject(error)
    waiting.clear()
  })
  worker.unref()

  function asFailure(write: string, { known, thrown }: WriteFailure): Error {
    const cause = asThrown(thrown)
    if (!known) return new Error(`the write ${write} failed: ${reasonOf(cause)}`, { cause })
    const { code, facts } = known
    if (code === 'database_damaged') damaged = true
    if (code !== 'storage_full') return new SluiceError(code, facts, { cause })
    guard?.noteFull()
    return guard?.shortage() ?? new SluiceError(code, facts, { cause })
  }

  const send = async (
    message: { name: string; request?: unknown },
    transfer: ArrayBuffer[] = [],
  ): Promise<unknown> => {
    // A thread that has ended answers no more messages.
    if (broken) throw broken
    const call = Promise.withResolvers<unknown>()
    const id = nextId++
    waiting.set(id, { ...call, name: message.name })
    worker.ref()
    worker.postMessage({ id, ...message }, transfer)
    return call.promise
  }

  const database: Database = {
    file,
    reader,
    sql: {
      reader: sessionOf(reader),
      snapshot: (work) => reader.awaitedSnapshot(() => work(sessionOf(reader))),
      write: (write, request) => database.write(onThread(write), request),
    },
    async write<Request, Result>(
      { name, grows, staged }: Write<Request, Result>,
      request: Request,
      transfer?: ArrayBuffer[],
    ) {
      if (closed) throw new SluiceError('stopping')
      if (damaged) throw new SluiceError('database_damaged', { hint: RESTORE })
      const shortage = grows && guard?.shortage()
      if (shortage) throw shortage
      const result = (await send({ name, request }, transfer)) as Result
      if (staged && grows) log.noteWrite()
      return result
    },
    async isAlive() {
      if (closed) return false
      try {
        reader.get('SELECT 1')
        await send({ name: 'ping' })
        return true
      } catch {
        return false
      }
    },
    noteDamage() {
      damaged = true
    },
    shortage: () => guard?.shortage(),
    hasRoom: (bytes) => guard?.hasRoom(bytes) ?? true,
    whenRoom: async (work) => void (await (guard ? guard.whenRoom(work) : work())),
    async vacuumStep() {
      for (let more = !closed; more && !closed; ) more = (await send({ name: 'vacuumStep' })) as boolean
    },
    async close() {
      if (closed) return
      closed = true
      guard?.close()
      // Waits for the writes that were sent before, while the reader is still open.
      if (!broken) await send({ name: 'ping' }).catch(() => {})
      await log.close()
      // When the last connection closes, SQLite writes the log into the file and removes it, if that connection may write.
      reader.close()
      // The marker records that there may be a log. It is closed before the last connection removes the log, never after.
      const carriedOver = !broken && (await send({ name: 'carryOver' }).catch(() => false))
      if (guard && carriedOver) closeMarker(directory)
      if (!broken) await send({ name: 'close' })
      // A command that opens the database after a crash also writes the log into the file, unless a server runs again.
      if (!existsSync(`${file}-wal`)) closeMarker(directory)
      await worker.terminate()
    },
  }
  return database
}

/** The error of the other thread, with its own name and stack. */
const asThrown = ({ message, ...rest }: ThrownThere): Error => Object.assign(new Error(message), rest)

function closeMarker(directory: string): void {
  const marker = readMarker(directory)
  if (marker?.open) markDirectory(directory, { ...marker, open: false })
}

function openReader(file: string, isServer: boolean, { backup = true, note }: UpgradeOptions): Connection {
  const directory = path.dirname(file)
  // The marker is read first: another process may be making both at this moment.
  const marked = isMarked(directory)
  const marker = readMarker(directory)
  if (marked && !(statSync(file, { throwIfNoEntry: false })?.size ?? 0)) throw gone(file)
  if (!existsSync(file) && existsSync(path.join(directory, DATA_FILES.restoring)))
    throw new SluiceError('restore_unfinished', { path: directory })
  if (!existsSync(file) && existsSync(path.join(directory, DATA_FILES.moving)))
    throw new SluiceError('move_unfinished', { place: directory })
  if (isServer) refuseLostLogOfOwner(directory)
  refuseCutShort(file)
  try {
    makePrivateFile(file)
    const writer = new Connection(file)
    try {
      refuseReplaced(writer, file, marker)
      // Both take effect on a new file alone: a tenth less work for chunks, which are large rows; and pages that are
      // free can be given back to the file system.
      writer.exec('PRAGMA page_size = 8192; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL')
      if (marked && schemaVersion(writer) === 0) throw gone(file)
      if (backup && isUpgraded(writer)) {
        const made = { schema: schemaVersion(writer), file: backupBeforeUpgrade(writer, directory) }
        note?.(made)
      }
      migrate(writer, file)
      dropSmallStatistics(writer)
      const reader = new Connection(file, { readOnly: true })
      // The read makes this connection keep the log open, so the log is not removed when the writer closes.
      schemaVersion(reader)
      markDirectory(directory, isServer ? countStart(writer) : undefined)
      return reader
    } finally {
      writer.close()
    }
  } catch (error) {
    if (error instanceof SluiceError) throw error
    if (isFull(error)) throw new SluiceError('storage_full', {}, { cause: error })
    const hint = isDamage(error) ? { hint: RESTORE } : {}
    throw new SluiceError('database_unusable', { path: file, reason: reasonOf(error), ...hint })
  }
}

/** The directory had a database, which is missing or empty now. Only its owner can decide to begin with a new one. */
const gone = (file: string) =>
  new SluiceError('database_gone', {
    path: file,
    hint: `bring a backup back with sluice restore; to begin anew on purpose, delete ${DATA_FILES.marker} and ${DATA_FILES.database} beside it`,
  })
