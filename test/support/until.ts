import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'

/** The longest wait for a condition, in seconds: long enough for a machine that is slow and has ten times as much to do. */
const PATIENCE = 300

/** Looks at a condition again and again until it holds. @throws AssertionError where it does not for five minutes */
export async function until(condition: () => unknown, what = 'the condition'): Promise<void> {
  const deadline = performance.now() + PATIENCE * 1000
  while (!(await condition())) {
    assert.ok(performance.now() < deadline, `${what} did not come about within ${PATIENCE} seconds`)
    await pause(2)
  }
}

/** Reads a value again and again until it is as expected. @throws AssertionError with the last value after five minutes */
export async function untilEqual<Value>(
  read: () => Promise<Value> | Value,
  expected: Value,
  what?: string,
): Promise<void> {
  const deadline = performance.now() + PATIENCE * 1000
  let value = await read()
  while (!isDeepStrictEqual(value, expected) && performance.now() < deadline) {
    await pause(20)
    value = await read()
  }
  assert.deepEqual(value, expected, what)
}
