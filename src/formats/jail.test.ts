import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { processesOf } from '../../test/support/processes.ts'
import { until } from '../../test/support/until.ts'

const MODULE = new URL('./jail.ts', import.meta.url).href

test('startLimited(): a program does not outlive a server that is killed while it starts', {
  skip: existsSync('/proc/self') ? false : 'there is no /proc to see processes in',
}, async () => {
  const mark = randomUUID()
  const script = `
    const { startLimited } = await import('${MODULE}')
    startLimited(['/bin/sh', '-c', 'while :; do sleep 0.1; done', '${mark}'], { megabytes: 100, seconds: 10 }, {})
    process.kill(process.pid, 'SIGKILL')`
  for (let turn = 0; turn < 3; turn++)
    await Promise.all(
      Array.from({ length: 6 }, async () => {
        const server = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', script])
        assert.deepEqual(await once(server, 'exit'), [null, 'SIGKILL'])
      }),
    )
  await until(() => processesOf(mark).length === 0)
})
