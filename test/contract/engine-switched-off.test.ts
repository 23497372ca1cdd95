import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { test, type TestContext } from 'node:test'
import { createEgress } from '../../src/kit/egress/client.ts'
import { createEgressRules } from '../../src/kit/egress/rules.ts'
import { patienceOfJob, type ServerWait, withPatience } from '../../src/kit/patience.ts'
import { engineServer } from '../../src/stores/remote/engine-server.ts'
import { freePort } from '../support/free-port.ts'
import { until } from '../support/until.ts'

/** A place that takes no connections and refuses none, as a machine that is switched off. */
async function switchedOff(t: TestContext, port: number) {
  const child = fork(new URL('../support/full-listener-child.ts', import.meta.url), [String(port)])
  t.after(() => child.kill('SIGKILL'))
  await once(child, 'message')
  child.kill('SIGSTOP')
  // The system takes as many as may wait for the process.
  const waiting = Array.from({ length: 8 }, () => connect(port, '127.0.0.1').on('error', () => {}))
  t.after(() => {
    for (const socket of waiting) socket.destroy()
  })
  return async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
}

async function answering(port: number) {
  const server = createServer((_, answer) => answer.end('{}')).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
}

test('a job waits for an engine whose machine takes no connections, and goes on when it is back; a request fails in time [engines:silent]', async (t) => {
  const port = await freePort()
  const egress = createEgress({ rules: createEgressRules({ loopback: true }), connectMs: 1500 })
  t.after(() => egress.close())
  const server = engineServer({
    ...{ egress, provider: 'The engine', keyHint: '', timeoutMs: 5000 },
    open: async () => ({ baseURL: `http://127.0.0.1:${port}`, headers: {} }),
  })
  const call = () => server.call({ method: 'GET', path: '/' })
  const stop = await answering(port)
  await call()
  await stop()

  const switchOn = await switchedOff(t, port)
  await assert.rejects(call(), { code: 'provider_timeout', status: 504 })
  const waits: (ServerWait | undefined)[] = []
  const job = withPatience(
    patienceOfJob(new AbortController().signal, (wait) => waits.push(wait)),
    call,
  )
  await until(async () => waits.at(-1)?.reason === 'no answer', 'the job says that it waits')
  await switchOn()
  const stopAgain = await answering(port)
  t.after(stopAgain)
  assert.equal((await job).status, 200)
  assert.equal(waits.at(-1), undefined)
})
