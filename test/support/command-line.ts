import { EventEmitter } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import type { TestContext } from 'node:test'
import { runCli } from '../../src/cli/run.ts'
import type { Output, World } from '../../src/cli/world.ts'
import { offline } from '../../src/offline.ts'

export { offline }

/** A place for text that remembers it. */
export function paper(isTTY = false): Output & { text: string } {
  return {
    text: '',
    isTTY,
    columns: 80,
    write(text: string) {
      this.text += text
    },
  }
}

/** A directory that is gone after the test. */
export function temporaryDirectory(t: TestContext): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'sluice-cli-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** A server on loopback that ends with the test; its address. */
export async function serve(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

export async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  return Buffer.concat(await request.toArray())
}

/** Where signals are sent to, and the code the process was ended with at once. */
export class Signals extends EventEmitter {
  exitCode: number | undefined
  exit(code: number): never {
    this.exitCode = code
    // The real one does not come back; the callers have nothing to do after it.
    return undefined as never
  }
}

export type Run = { code: number; stdout: string; stderr: string }

/** Runs `sluice …argv` in a world of its own, in which only what is given is there. */
export async function sluice(argv: string[], given: Partial<World> = {}): Promise<Run> {
  const stdout = paper()
  const stderr = paper()
  const absent = () => Promise.reject(new Error('this world has no such service'))
  const code = await runCli(argv, {
    stdin: Readable.from([]),
    stdout,
    stderr,
    environment: {},
    directory: tmpdir(),
    process: new Signals() as unknown as World['process'],
    startPlatform: absent,
    startEvents: absent,
    evaluateFlow: absent,
    compareFlow: absent,
    offline,
    packageRoot: new URL('../../', import.meta.url),
    ...given,
  })
  return { code, stdout: stdout.text, stderr: stderr.text }
}
