import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { CopySaver } from './copy-saver.ts'

test('CopySaver tries a copy again that could not be made just now', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-copies-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const { promise: saved, resolve: noteSaved } = Promise.withResolvers<{ index: number; bytes: number }>()
  const answers = [undefined, undefined, 7]
  const saver = new CopySaver({
    origin: { state: async () => ({ isLive: true, chunks: 10, run: { seq: 1, token: 't' } }) as never },
    folder: path.join(folder, 'making'),
    files: {
      newest: async () => undefined,
      hasChanged: async () => true,
      age: async () => undefined,
      save: async () => answers.shift(),
      sweep: async () => {},
      fetch: async () => {},
      remove: async () => {},
    },
    rules: { leastChunks: 1, quietMs: 0, intervalMs: 0 },
    exportTo: async () => undefined,
    noteSaved,
    noteFailure: assert.fail,
  })
  saver.consider(5)
  // The timers of the saver keep no process alive.
  const alive = setInterval(() => {}, 1000)
  const { index, bytes } = await saved
  clearInterval(alive)
  assert.deepEqual([index, bytes, answers.length], [5, 7, 0])
  await saver.close()
})
