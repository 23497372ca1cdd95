import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'

/** Looks at a condition again and again until it holds. @throws AssertionError where it does not for 30 seconds */
export async function until(condition: () => unknown, what = 'the condition'): Promise<void> {
  const deadline = performance.now() + 30_000
  while (!(await condition())) {
    assert.ok(performance.now() < deadline, `${what} did not come about within 30 seconds`)
    await pause(2)
  }
}
