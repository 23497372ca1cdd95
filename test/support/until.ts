import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'

/** The longest wait for a condition, in seconds: long enough for a machine that is slow and has ten times as much to do. */
const PATIENCE = 300

/**
 * A look takes processor time, often that of what is waited for: the pauses get longer with the wait. What is there for a moment only is
 * seen all the same.
 */
const LONGEST_PAUSE_MS = 30

/** A look that takes long, as one that runs a command, is followed by as long a pause, up to this. */
const LONGEST_REST_MS = 250

/** Pauses between two looks, of which the first of all began at `began`, and the last one at `looked`. */
async function rest(began: number, looked: number): Promise<void> {
  const now = performance.now()
  await pause(
    Math.max(2, Math.min((now - began) / 20, LONGEST_PAUSE_MS), Math.min(now - looked, LONGEST_REST_MS)),
  )
}

/** Looks at a condition again and again until it holds. @throws AssertionError where it does not for five minutes */
export async function until(condition: () => unknown, what = 'the condition'): Promise<void> {
  const began = performance.now()
  for (;;) {
    const looked = performance.now()
    if (await condition()) return
    assert.ok(looked < began + PATIENCE * 1000, `${what} did not come about within ${PATIENCE} seconds`)
    await rest(began, looked)
  }
}

/** Reads a value again and again until it is as expected. @throws AssertionError with the last value after five minutes */
export async function untilEqual<Value>(
  read: () => Promise<Value> | Value,
  expected: Value,
  what?: string,
): Promise<void> {
  const began = performance.now()
  for (;;) {
    const looked = performance.now()
    const value = await read()
    if (isDeepStrictEqual(value, expected) || looked >= began + PATIENCE * 1000)
      return assert.deepEqual(value, expected, what)
    await rest(began, looked)
  }
}
