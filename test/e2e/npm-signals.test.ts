import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { until } from '../support/until.ts'

const root = path.join(import.meta.dirname, '../..')

/** Starts a script of package.json with npm, as a person does it; `said` is all that it has written so far. */
function npmRun(t: TestContext, script: string, args: string[], environment: Record<string, string> = {}) {
  const home = mkdtempSync(path.join(tmpdir(), 'sluice-npm-'))
  const child = spawn('npm', ['run', script, '--', ...args], {
    cwd: root,
    env: { ...process.env, TMPDIR: home, DATA_DIR: path.join(home, 'data'), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that a server that is left ends with the test.
    detached: true,
  })
  t.after(() => {
    try {
      process.kill(-child.pid!, 'SIGKILL')
    } catch {
      // Nothing was left.
    }
    rmSync(home, { recursive: true, force: true })
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (piece: string) => (said += piece))
  /** Sends npm a signal. @returns its exit code, when it has ended */
  async function end(signal: NodeJS.Signals): Promise<number | null> {
    child.kill(signal)
    await until(() => child.exitCode !== null || child.signalCode !== null, 'the end of npm')
    return child.exitCode
  }
  return { home, said: () => said, end }
}

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  )

/** The first address that a script has logged for a service. */
async function addressIn(said: () => string, event: string): Promise<string> {
  const address = new RegExp(`"event":"${event}".*?"url":"([^"]+)"`)
  await until(() => address.test(said()))
  return address.exec(said())![1]!
}

/** The shells of this machine, each once. npm runs a script with sh, which is dash on Debian, bash on others, and busybox on Alpine. */
const shells = new Map(
  ['ash', 'dash', 'bash', 'sh'].flatMap((name): [string, string][] => {
    const { status, stdout } = spawnSync('sh', ['-c', `realpath "$(command -v ${name})"`], {
      encoding: 'utf8',
    })
    return status === 0 ? [[stdout.trim(), name]] : []
  }),
).values()

// By `exec` the server takes the place of the shell: the signal is the matter of npm, not of each shell.
for (const [at, shell] of [...shells].entries())
  for (const signal of at === 0 ? (['SIGTERM', 'SIGINT'] as const) : (['SIGTERM'] as const))
    test(`npm start ends its server, which closes its database, with ${signal} to npm over ${shell}`, async (t) => {
      const { said, end } = npmRun(t, 'start', ['--port', '0'], { npm_config_script_shell: shell })
      const url = await addressIn(said, 'platform-listening')
      assert.equal(await answers(url), true)
      assert.equal(await end(signal), 0, said())
      assert.match(said(), /"event":"platform-closed"/)
      assert.equal(await answers(url), false)
    })

test('npm run demo ends its servers, and removes its directory, with SIGTERM to npm', async (t) => {
  const { home, said, end } = npmRun(t, 'demo', ['--port', '0'], { LOG_LEVEL: 'info' })
  const url = await addressIn(said, 'platform-listening')
  await until(() => said().includes('Press Ctrl-C to stop'))
  assert.equal(await end('SIGTERM'), 0, said())
  assert.match(said(), /"event":"platform-closed"/)
  assert.equal(await answers(url), false)
  assert.deepEqual(
    readdirSync(home).filter((name) => name.startsWith('sluice-demo-')),
    [],
  )
})

test('npm run events ends its service with SIGTERM to npm', async (t) => {
  const { said, end } = npmRun(t, 'events', ['--port', '0'])
  const url = await addressIn(said, 'events-listening')
  assert.equal(await answers(url), true)
  assert.equal(await end('SIGTERM'), 0, said())
  assert.equal(await answers(url), false)
})
