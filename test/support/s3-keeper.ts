import { rmSync } from 'node:fs'
import { mkdtempSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startCeph } from './ceph.ts'

/*
 * The process that keeps the S3 server of a test run: `node s3-keeper.ts NAME FOLDER`. Each test file holds a connection to the
 * socket NAME, which has no file and ends with its process, also where that is killed. When the last one is gone for some
 * seconds, the server ends. A second keeper finds the name taken and ends at once.
 */

/** How long it waits for the next test file, in milliseconds. */
const WAIT_MS = 20_000

const [name = '', unpacked = ''] = process.argv.slice(2)
const users = new Set<Socket>()
let leaving: NodeJS.Timeout | undefined
let stop = () => {}
let home: string | undefined

function end(): void {
  // Nobody connects to one that ends.
  server.close()
  stop()
  if (home) rmSync(home, { recursive: true, force: true })
  process.exit(0)
}

const ready = Promise.withResolvers<string>()
const server = createServer((user) => {
  clearTimeout(leaving)
  users.add(user)
  user.on('error', () => {})
  user.on('close', () => {
    users.delete(user)
    if (users.size === 0) leaving = setTimeout(end, WAIT_MS)
  })
  user.resume()
  void ready.promise.then((line) => user.write(`${line}\n`))
})
server.on('error', () => process.exit(0))
server.listen(`\0${name}`, async () => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end)
  leaving = setTimeout(end, WAIT_MS)
  home = mkdtempSync(path.join(tmpdir(), 'sluice-s3-'))
  try {
    const { stop: stopCeph, ...access } = await startCeph(unpacked, home)
    stop = stopCeph
    ready.resolve(JSON.stringify(access))
  } catch (error) {
    ready.resolve(JSON.stringify({ error: (error as Error).message }))
  }
})
