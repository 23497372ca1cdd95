import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import path from 'node:path'

/** Linux keeps this folder in memory. */
const MEMORY = '/dev/shm'
/** Room for the data of all files that run at the same time, with much to spare, in bytes. */
const ENOUGH = 6 * 2 ** 30

/**
 * A new folder for what tests write, deleted when this process ends. It is in memory where there is enough of it: databases wait for
 * the disk at each commit, which takes more of a test's time than all else, and proves nothing that the end of a process can show.
 * A TMPDIR that is set is kept.
 */
export function scratchFolder(): string {
  const inMemory = process.env.TMPDIR === undefined && isRoomy(MEMORY) && mayRunPrograms(MEMORY)
  const folder = mkdtempSync(path.join(inMemory ? MEMORY : tmpdir(), 'sluice-tests-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
  return folder
}

function isRoomy(folder: string): boolean {
  if (!existsSync(folder)) return false
  const { bavail, bsize } = statfsSync(folder)
  return Math.min(bavail * bsize, freemem()) >= ENOUGH
}

/** Containers often forbid programs in this folder; some tests write one. */
function mayRunPrograms(folder: string): boolean {
  const place = mkdtempSync(path.join(folder, 'sluice-tests-'))
  try {
    const program = path.join(place, 'program')
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 })
    return spawnSync(program).status === 0
  } finally {
    rmSync(place, { recursive: true })
  }
}
