import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { test, type TestContext } from 'node:test'
import { hungReport } from './hung-process.ts'

/** Starts a program that writes a line, and tells what keeps it then. */
async function reportOf(t: TestContext, code: string, waitMs?: number): Promise<string> {
  const report = hungReport(waitMs)
  const child: ChildProcess = spawn(process.execPath, [...report.args, '--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  t.after(() => child.kill('SIGKILL'))
  await once(child.stdout!, 'data', { signal: AbortSignal.timeout(30_000) })
  return report.read(child)
}

test('hungReport names the handles that keep a process, and those of its threads', async (t) => {
  const report = await reportOf(
    t,
    `import net from 'node:net'
    import { Worker } from 'node:worker_threads'
    const worker = new Worker('setInterval(() => {}, 60000)', { eval: true, execArgv: [] })
    worker.once('online', () => net.createServer().listen(0, '127.0.0.1', () => console.log('ready')))`,
  )
  assert.match(report, /^the process is kept by tcp at 127\.0\.0\.1:\d+$/m)
  assert.match(report, /^its thread 1 is kept by timer in \d+ ms$/m)
})

test('hungReport says so where a process cannot write its report', async (t) => {
  const report = await reportOf(t, 'console.log("ready"); for (;;);', 500)
  assert.match(report, /^it wrote no report: /)
})
