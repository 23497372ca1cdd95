import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { readMarker } from '../../src/db/marker.ts'
import { isBeingRead, slowDownCheck } from '../support/slow-check.ts'
import { room, start } from '../support/program.ts'
import { until } from '../support/until.ts'

/** More than a server checks on a thread. */
const LARGE = 70e6

test('a server that is stopped or killed while it checks a large database ends, and its check with it [server:check-stop]', {
  timeout: 120_000,
}, async (t) => {
  const directory = room(t)
  const data = path.join(directory, 'sluice-data')
  const file = path.join(data, 'sluice.db')
  const first = await start(t, ['start'], { directory })
  first.kill('SIGTERM')
  assert.equal(await first.ended, 0)
  slowDownCheck(file, LARGE)

  const stopped = await start(t, ['start'], { directory })
  await until(() => isBeingRead(file), 'the check')
  stopped.kill('SIGTERM')
  assert.equal(await stopped.ended, 0)
  assert.equal(isBeingRead(file), false)
  assert.equal(readMarker(data)?.open, false)

  const killed = await start(t, ['start'], { directory })
  await until(() => isBeingRead(file), 'the check')
  killed.kill('SIGKILL')
  await killed.ended
  await until(() => !isBeingRead(file), 'the end of the check')
})
