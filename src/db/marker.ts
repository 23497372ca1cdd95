import { closeSync, existsSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import path from 'node:path'
import { DATA_FILES } from '../contract/data-files.ts'
import { isFull } from '../kit/storage-failure.ts'

/** What `sluice.marker` records about the database of its directory. */
export type Marker = {
  /** The id that the database carries too. */
  id: string
  /** How many starts of a server the database has seen; an older copy of it has seen fewer. */
  starts: number
  /** Whether a server has it open, or ended without closing it. */
  open: boolean
  /** Which boot of the machine the server ran in; empty where the system has no name for it. */
  boot: string
}

const TEXT = `${DATA_FILES.database} belongs to this directory: without it, Sluice does not start. To begin anew, delete both.\n`
/** The record has a fixed length in bytes, so that it can be overwritten in place on a full disk. */
const LENGTH = 200

const markerFile = (directory: string) => path.join(directory, DATA_FILES.marker)

/** Whether a data directory has, or had, a database. */
export const isMarked = (directory: string): boolean => existsSync(markerFile(directory))

/** The record of a directory; undefined where no server has written one yet, or it cannot be read. */
export function readMarker(directory: string): Marker | undefined {
  if (!isMarked(directory)) return undefined
  try {
    const [, record = ''] = readFileSync(markerFile(directory), 'utf8').split('\n')
    const { id, starts, open, boot } = JSON.parse(record) as Record<keyof Marker, unknown>
    if (typeof id !== 'string' || typeof starts !== 'number') return undefined
    return { id, starts, open: open === true, boot: typeof boot === 'string' ? boot : '' }
  } catch {
    return undefined
  }
}

/** Marks a directory as one with a database. A record replaces the one before; without one, an existing marker stays. */
export function markDirectory(directory: string, marker?: Marker): void {
  const record = marker ? `${JSON.stringify(marker).padEnd(LENGTH)}\n` : ''
  try {
    if (!isMarked(directory)) writeFileSync(markerFile(directory), TEXT + record, { mode: 0o600 })
    else if (marker) overwrite(markerFile(directory), TEXT + record)
  } catch (error) {
    // On a full disk the next start does it.
    if (!isFull(error)) throw error
  }
}

function overwrite(file: string, text: string): void {
  const descriptor = openSync(file, 'r+')
  try {
    writeSync(descriptor, text, 0)
  } finally {
    closeSync(descriptor)
  }
}

/** The name of the current boot of the machine; empty where the system has none. */
export function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return ''
  }
}
