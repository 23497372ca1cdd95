import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const PROGRAM = fileURLToPath(new URL('../../bin/sluice.js', import.meta.url))

/** The real server in a process of its own, on a free port. */
export type Server = { url: string; pid: number; stop(): Promise<void> }

/**
 * Starts a server over a data directory. `flags` are Node's, `settings` go into its environment, `program` is the
 * `bin/sluice.js` of this checkout unless another is given.
 */
export async function startServer(
  data: string,
  flags: string[] = [],
  settings: Record<string, string> = {},
  program = PROGRAM,
): Promise<Server> {
  const child = spawn(process.execPath, [...flags, program, 'start', '--port', '0', '--data-dir', data], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...settings },
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const url = await new Promise<string>((resolve, reject) => {
    let log = ''
    child.stderr.setEncoding('utf8').on('data', (piece: string) => {
      log += piece
      const found = /"event":"platform-listening","url":"([^"]+)"/.exec(log)?.[1]
      if (found) resolve(found)
    })
    void ended.then(() => reject(new Error(`the server did not start: ${log}`)))
  })
  return {
    url,
    pid: child.pid!,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
