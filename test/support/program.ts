import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'

/** In a run of many files the one that was built of the source for it. */
export const PROGRAM =
  process.env.SLUICE_TEST_PROGRAM ?? fileURLToPath(new URL('../../bin/sluice.js', import.meta.url))

/** The `package.json` beside it. */
export const PACKAGE_FILE = path.join(path.dirname(PROGRAM), '../package.json')

const home = mkdtempSync(path.join(tmpdir(), 'sluice-e2e-'))
process.on('exit', () => rmSync(home, { recursive: true, force: true }))

// The whole environment of the program: variables of the person who runs the tests must not reach it.
const ENVIRONMENT = {
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? path.join(home, 'compile-cache'),
}

/** A new directory for one test. It is removed at the end of the process: the test may have mounted a disk in it. */
export const room = (t: TestContext): string =>
  mkdtempSync(path.join(home, `${t.name.replace(/\W+/g, '-').slice(0, 80)}-`))

export type Given = { directory: string; environment?: Record<string, string>; input?: string }

export function launch(argv: string[], { directory, environment = {} }: Given): ChildProcess {
  return spawn(process.execPath, [PROGRAM, ...argv], {
    cwd: directory,
    env: { ...ENVIRONMENT, ...environment },
  })
}

/** Runs a command to its end. */
export async function run(argv: string[], given: Given) {
  const child = launch(argv, given)
  child.stdin!.end(given.input ?? '')
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    once(child, 'exit'),
  ])
  return { code: code as number, stdout, stderr }
}

/** Starts a service on a free port, and gives its address and how to end it; the exit code comes from `ended`. */
export async function start(t: TestContext, argv: string[], given: Given) {
  const child = launch([...argv, '--port', '0'], given)
  t.after(() => child.kill('SIGKILL'))
  const ended = once(child, 'exit').then(([code]) => code as number)
  const log: string[] = []
  let rest = ''
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr!.setEncoding('utf8').on('data', (piece: string) => {
      const lines = (rest + piece).split('\n')
      rest = lines.pop()!
      log.push(...lines)
      // What ends the command is said in plain text.
      for (const line of lines.filter((one) => one.startsWith('{'))) {
        const { event, url } = JSON.parse(line) as { event: string; url?: string }
        if (event.endsWith('-listening')) resolve(url!)
      }
    })
    child.stderr!.on('end', async () => reject(new Error(`ended with ${await ended}: ${log.join('\n')}`)))
  })
  return { url, log, ended, kill: (signal: NodeJS.Signals) => child.kill(signal) }
}
