import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Signals } from '../../test/support/command-line.ts'
import { listenForStop } from './stop.ts'
import type { World } from './world.ts'

test('listenForStop() aborts its signal at the first signal and ends the process at the second', async () => {
  const signals = new Signals()
  let time = 0
  const stop = listenForStop(signals as unknown as World['process'], () => time)
  assert.equal(stop.signal.aborted, false)
  signals.emit('SIGTERM')
  assert.equal(await stop.asked, 'SIGTERM')
  assert.equal(stop.signal.aborted, true)
  time += 10
  signals.emit('SIGINT')
  assert.equal(signals.exitCode, undefined, 'npm repeats a Ctrl-C at once')
  time += 1000
  signals.emit('SIGINT')
  assert.equal(signals.exitCode, 130)
})

test('listenForStop() removes its listeners', () => {
  const signals = new Signals()
  {
    using _ = listenForStop(signals as unknown as World['process'])
    assert.equal(signals.listenerCount('SIGINT'), 1)
  }
  assert.equal(signals.listenerCount('SIGINT') + signals.listenerCount('SIGTERM'), 0)
})
