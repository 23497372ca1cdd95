import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import path from 'node:path'
import type { TestContext } from 'node:test'

/** Why no small file system can be mounted here; false where it can. */
export function cannotMount(): string | false {
  if (process.platform !== 'linux') return 'it needs tmpfs, which is of Linux'
  if (process.getuid?.() !== 0) return 'it mounts a tmpfs, which needs root'
  // A mount name space of its own: nothing is left behind.
  const tried = spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'sluice-test', '/mnt'])
  return tried.status === 0 ? false : 'it mounts a tmpfs, which is not permitted here'
}

/** A file system of some megabytes, and a way to fill it. It is gone after the test. */
export function smallDisk(t: TestContext, directory: string, megabytes: number) {
  const at = path.join(directory, 'disk')
  mkdirSync(at)
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'sluice-test', at])
  if (mounted.status !== 0) throw new Error(String(mounted.stderr))
  t.after(() => spawnSync('umount', ['--lazy', at]))
  const ballast = path.join(at, 'ballast')
  const free = () => {
    const { bavail, bsize } = statfsSync(at)
    return bavail * bsize
  }
  return {
    at,
    free,
    /** Leaves so many bytes free. */
    fill(leave: number) {
      const file = openSync(ballast, 'a')
      try {
        for (let rest = free() - leave; rest > 0; rest = free() - leave)
          if (writeSync(file, Buffer.alloc(Math.min(rest, 2 ** 20), 1)) === 0) break
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      } finally {
        closeSync(file)
      }
    },
    clear: () => rmSync(ballast, { force: true }),
  }
}
