import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asSluiceError, causesOf, stackOf } from './as-sluice-error.ts'
import { SluiceError } from './errors.ts'
import { createLog, type LogLevel } from './log.ts'

function logged(level: LogLevel) {
  const lines: Record<string, string>[] = []
  const log = createLog(level, { write: (line) => lines.push(JSON.parse(line) as Record<string, string>) })
  return { log, lines }
}

const deepest = Object.assign(new Error('the words of a document'), { code: 'ERR_SQLITE_ERROR' })
const thrown = new TypeError('the write publishRun failed', { cause: deepest })

test('asSluiceError() keeps what was thrown as the cause, and logs its kind and place, no stack', () => {
  const { log, lines } = logged('info')
  const error = asSluiceError(thrown, log, { request: 'r-1', route: '/x' })
  assert.equal(error.code, 'internal')
  assert.equal(error.cause, thrown)
  const [{ time: _, at, ...line }] = lines as [Record<string, string>]
  assert.deepEqual(line, {
    level: 'error',
    event: 'internal-error',
    id: error.facts.id,
    request: 'r-1',
    route: '/x',
    reason: 'the write publishRun failed',
    causes: 'Error ERR_SQLITE_ERROR',
  })
  assert.match(at!, /as-sluice-error\.test\.ts:\d+/)
  assert.equal(lines.length, 1)
})

test('asSluiceError() logs the stack at the level debug, without the messages in it', () => {
  const { log, lines } = logged('debug')
  asSluiceError(thrown, log)
  assert.match(lines[1]!.stack!, /^TypeError\n +at .*as-sluice-error\.test\.ts/)
  assert.ok(!lines[1]!.stack!.includes(deepest.message))
})

test('asSluiceError() leaves a failure of the error table as it is', () => {
  const { log, lines } = logged('debug')
  const error = new SluiceError('stopping')
  assert.equal(asSluiceError(error, log), error)
  assert.deepEqual(lines, [])
})

test('causesOf() and stackOf() end where causes lead back to themselves', () => {
  const first = new Error('a')
  const second = new RangeError('b', { cause: first })
  first.cause = second
  assert.equal(causesOf(first), 'RangeError')
  assert.match(stackOf(first), /^Error\n[\s\S]*\nRangeError\n/)
  assert.equal(causesOf(new Error('alone')), undefined)
  assert.equal(causesOf('a text'), undefined)
})
