import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { besideModule } from '../../kit/module.ts'
import { checkOnThread, type DatabaseCheck } from './check-on-thread.ts'

/**
 * A database of so many bytes, log included, is checked in a process of its own: its check takes longer than a stop may
 * wait, and cannot be interrupted. A smaller one takes about 0.2 s at most, less than a second process costs at each start.
 */
const LARGE = 64 * 2 ** 20

/**
 * Reads a whole database for damage, on a connection of its own, on a thread or in another process: the structure of all
 * pages, with `PRAGMA integrity_check`, then the contents that have a checksum. The contents of a large database are
 * read with pauses.
 */
export const checkDatabase = (file: string): DatabaseCheck =>
  bytesOf(file) + bytesOf(`${file}-wal`) < LARGE ? checkOnThread(file) : checkInProcess(file)

const bytesOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

/** Checks a database in a process that `stop` kills, and that ends with this one. */
export function checkInProcess(file: string): DatabaseCheck {
  const entry = fileURLToPath(besideModule(import.meta.url, './check-process'))
  const child = spawn(process.execPath, ['--no-warnings', entry, file], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    env: {},
    windowsHide: true,
  })
  child.unref()
  child.channel?.unref()
  const ended = once(child, 'exit').then(
    () => undefined,
    // It could not be started.
    () => undefined,
  )
  child.on('error', () => {})
  const answered = once(child, 'message').then(([{ sound }]) => sound as boolean | undefined)
  const stop = async () => {
    // A stop of the server waits for the end of the child.
    child.ref()
    child.kill('SIGKILL')
    await ended
  }
  const sound = Promise.race([answered, ended]).catch(() => undefined)
  // A child that has answered waits for more.
  void sound.then(stop)
  return { sound, stop }
}
