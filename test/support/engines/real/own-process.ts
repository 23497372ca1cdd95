import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import type { Socket } from 'node:net'
import path from 'node:path'
import { until } from '../../until.ts'

const ENDING: readonly NodeJS.Signals[] = ['SIGKILL', 'SIGTERM']

/** A server in a process of its own. */
export type OwnProcess = {
  pid: number
  /** Sends it a signal; after `SIGKILL` and `SIGTERM` it has ended when this returns. */
  signal(signal: NodeJS.Signals): Promise<void>
}

/**
 * Starts a server and waits until it is ready. A shell below it waits for the end of its input, which ends with this process,
 * however that ends; then it kills the server and removes its folder. A server that has ended can be started again on its folder.
 *
 * @throws Error with the last line of its log when it ends before it is ready
 */
export async function ownProcess(
  command: readonly string[],
  { folder, isReady }: { folder: string; isReady(): Promise<boolean> },
): Promise<OwnProcess> {
  const script = `trap '' INT TERM
    data=$1; shift
    (trap - TERM; exec "$@") >>"$data/log" 2>&1 </dev/null &
    server=$!
    echo $server >"$data/pid"
    read -r _ || { kill -CONT $server; kill -KILL $server; wait $server; rm -rf "$data" || { sleep 1; rm -rf "$data"; }; }`
  const pidFile = path.join(folder, 'pid')
  rmSync(pidFile, { force: true })
  const shell = spawn('/bin/sh', ['-c', script, 'engine-of-tests', folder, ...command], {
    cwd: folder,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  // The server alone does not keep the process of the tests running.
  shell.unref()
  ;(shell.stdin as Socket).unref()
  const log = () => readFileSync(path.join(folder, 'log'), 'utf8').trim().split('\n').at(-1)
  let pid = 0
  const lives = () => isAlive(pid)
  await until(async () => {
    if (shell.exitCode !== null) throw new Error(`the server did not start: ${log()}`)
    pid ||= existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8')) : 0
    if (pid === 0) return false
    if (!lives()) throw new Error(`the server ended while it started: ${log()}`)
    return isReady()
  }, 'the start of the server')
  return {
    pid,
    async signal(signal) {
      process.kill(pid, signal)
      if (ENDING.includes(signal)) await until(async () => !lives(), 'the end of the server')
    },
  }
}

/** A process that has ended stays in the list until its shell asks for it: as a zombie, `Z`. */
function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2))
  } catch {
    return false
  }
}
