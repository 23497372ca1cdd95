import { existsSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { randomBytes } from 'node:crypto'
import { DATA_FILES } from '../contract/data-files.ts'
import { SluiceError } from '../kit/errors.ts'

/** Watches the free space of the file system that a data directory lies on. */
export type DiskGuard = {
  /** Why nothing that takes room is written now; undefined while there is room. */
  shortage(): SluiceError | undefined
  /** A write found no room, whatever the file system says. */
  noteFull(): void
  /** Does work that must be done sooner or later: now, or when there is room again, and before anything else then. */
  whenRoom(work: () => Promise<unknown>): Promise<void>
  close(): void
}

const MEGABYTE = 2 ** 20
/** A file of this size, in bytes, lies ready to be deleted when not one byte is left: enough to open the database. */
const RESERVE = 2 * MEGABYTE
/** How long one look at the file system counts, and how often it is looked at while room is missing, in milliseconds. */
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
      // What fails for another reason would fail again: only a want of room is worth another try.
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
  `free some space where the data directory lies: ${Math.floor(free / MEGABYTE)} MB are free there` +
  `${keepFree > 0 ? `, and MIN_FREE_MB keeps ${keepFree} MB free` : ''}; no restart is needed`

/** What a file system has left for users other than root, in bytes. */
function freeBytes(directory: string): number {
  try {
    const { bavail, bsize } = statfsSync(directory)
    return bavail * bsize
  } catch {
    // Some file systems do not say: then only a write that fails tells.
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

/** Opens a database; where there is not one byte left, once more after the reserve was deleted. */
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
