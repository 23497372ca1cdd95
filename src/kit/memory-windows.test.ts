import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryWindows } from './memory-windows.ts'

test('memoryWindows() says of a new window that it ends after its length, at any moment of the clock', async () => {
  // 5536.039 + 60000 - 5536.039 is more than 60000.
  const windows = memoryWindows(() => 5536.039)
  assert.equal((await windows.count('a', 2, 60_000)).resetMs, 60_000)
})
