import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export const PROGRAM = fileURLToPath(new URL('../../../bin/sluice.js', import.meta.url))
const WATCH = new URL('watch-loop.ts', import.meta.url).href

/** A real server in a process of its own that measures for how long its event loop is blocked. */
export type WatchedServer = {
  url: string
  adminKey: string
  /** The longest block since the last call, in milliseconds. */
  longestBlock(): Promise<number>
  stop(): Promise<void>
}

export type WatchedOptions = {
  /** The `bin/sluice.js` to start: that of this checkout unless given. */
  program?: string
  /** More of the environment. */
  settings?: Record<string, string>
}

/** Starts a server on a free port over a data directory. */
export async function startWatched(
  dataDirectory: string,
  { program = PROGRAM, settings = {} }: WatchedOptions = {},
): Promise<WatchedServer> {
  const adminKey = 'the-management-key-of-the-stall-tests'
  const child = spawn(
    process.execPath,
    ['--import', WATCH, program, 'start', '--port', '0', '--data-dir', dataDirectory],
    {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: { PATH: process.env.PATH, ADMIN_KEY: adminKey, ...settings },
    },
  )
  const ended = once(child, 'exit')
  const log: string[] = []
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stderr! }).on('line', (line) => {
      if (log.length < 1000) log.push(line)
      const found = /"event":"platform-listening","url":"([^"]+)"/.exec(line)?.[1]
      if (found) resolve(found)
    })
    void ended.then(() => reject(new Error(`the server did not start: ${log.join('\n')}`)))
  })
  return {
    url,
    adminKey,
    async longestBlock() {
      const answer = once(child, 'message') as Promise<[{ longestBlockMs: number }]>
      child.send('longest-block')
      return (await answer)[0].longestBlockMs
    },
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
