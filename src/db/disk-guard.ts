import { existsSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { randomBytes } from 'node:crypto'
import { DATA_FILES } from '../contract/data-files.ts'
import { SluiceError } from '../kit/errors.ts'

/** Watches the free space of the file system of a data directory. */
export type DiskGuard = {
  /** The error for writes that need space, while the disk is full; undefined while there is room. */
  shortage(): SluiceError | undefined
  /** Whether so many bytes can be written without taking the room that is kept free. */
  hasRoom(bytes: number): boolean
  /** Records that a write found no room, even if the file system reports free space. */
  noteFull(): void
  /** Runs work now. If the disk is full, runs it as soon as there is room, before other writes are allowed again. */
  whenRoom(work: () => Promise<unknown>): Promise<void>
  close(): void
}

const MEGABYTE = 2 ** 20
/** Size of the reserve file, in bytes. On a full disk it is deleted, which frees enough to open the database. */
const RESERVE = 2 * MEGABYTE
/** How long a measured free space is valid, and how often it is measured while room is missing, in milliseconds. */
const LOOK_MS = 500

/** @param keepFree how many megabytes of the file system are left free; 0 takes all of it */
export function diskGuard(directory: string, keepFree: number): DiskGuard {
  const reserve = path.join(directory, DATA_FILES.reserve)
  let lookedAt = -Infinity
  let free = Infinity
  /** A write has failed since room was last seen. */
  let full = false
  const postponed: (() => Promise<unknown>)[] = []
  let timer: NodeJS.Timeout | undefined

  function look(): void {
    if (performance.now() - lookedAt < LOOK_MS) return
    free = freeBytes(directory)
    if (free >= Math.max(keepFree * MEGABYTE, full || !existsSync(reserve) ? 2 * RESERVE : 0))
      full = !fillReserve(reserve)
    lookedAt = performance.now()
  }

  function lacksRoom(): boolean {
    look()
    return full || free < keepFree * MEGABYTE
  }

  function watch(): void {
    timer ??= setInterval(() => void catchUp(), LOOK_MS).unref()
  }

  let catchingUp = false
  async function catchUp(): Promise<void> {
    if (catchingUp || lacksRoom()) return
    catchingUp = true
    try {
      for (let work = postponed[0]; work; work = postponed[0]) {
        await work()
        postponed.shift()
      }
      clearInterval(timer)
      timer = undefined
    } catch (error) {
      // Only work that failed for lack of space is tried again.
      if (!lacksSpace(error)) postponed.shift()
    } finally {
      catchingUp = false
    }
  }

  function noteFull(): void {
    full = true
    lookedAt = performance.now()
    rmSync(reserve, { force: true })
    watch()
  }

  look()
  return {
    shortage() {
      if (!lacksRoom() && postponed.length === 0) return undefined
      watch()
      return new SluiceError('storage_full', { hint: wayOut(free, keepFree) })
    },
    hasRoom: (bytes) => !lacksRoom() && freeBytes(directory) - bytes >= keepFree * MEGABYTE + RESERVE,
    noteFull,
    async whenRoom(work) {
      try {
        await work()
      } catch (error) {
        if (!lacksSpace(error)) throw error
        postponed.push(work)
        watch()
      }
    },
    close() {
      clearInterval(timer)
      postponed.length = 0
    },
  }
}

const lacksSpace = (error: unknown) => error instanceof SluiceError && error.code === 'storage_full'

const wayOut = (free: number, keepFree: number) =>
  `free some space on the disk of the data directory: ${Math.floor(free / MEGABYTE)} MB are free there` +
  `${keepFree > 0 ? `, and MIN_FREE_MB keeps ${keepFree} MB free` : ''}; no restart is needed`

/** The free space of a file system for users other than root, in bytes. */
function freeBytes(directory: string): number {
  try {
    const { bavail, bsize } = statfsSync(directory)
    return bavail * bsize
  } catch {
    // Some file systems do not report it: then only a write that fails shows a full disk.
    return Infinity
  }
}

/** Whether the reserve is there, or could be written. */
function fillReserve(file: string): boolean {
  if (existsSync(file)) return true
  try {
    // Bytes that no file system can store in less room.
    writeFileSync(file, randomBytes(RESERVE), { mode: 0o600 })
    return true
  } catch {
    rmSync(file, { force: true })
    return false
  }
}

/** Opens a database. Where that fails on a full disk, deletes the reserve and opens it again. */
export function openWithReserve<T>(directory: string, open: () => T): T {
  const reserve = path.join(directory, DATA_FILES.reserve)
  try {
    return open()
  } catch (error) {
    if (!existsSync(reserve) || freeBytes(directory) >= RESERVE) throw error
    rmSync(reserve, { force: true })
    return open()
  }
}
