import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { Failure } from './failure.ts'
import { readAnswer } from './read-answer.ts'

const load = async () => z.object({ state: z.enum(['on', 'off']), files: z.object({ total: z.number() }) })

test('readAnswer() returns the answer unchanged, with fields that a newer server adds', async () => {
  const answer = { state: 'on', files: { total: 1, bytes: 2 }, tags: [] }
  assert.equal(await readAnswer(answer, load, 'a lamp'), answer)
  assert.equal(await readAnswer(Promise.resolve(answer), load, 'a lamp'), answer)
})

test('readAnswer() accepts an unknown word where the shape lists words, and no other type', async () => {
  const { state } = await readAnswer({ state: 'dimmed', files: { total: 1 } }, load, 'a lamp')
  assert.equal(state, 'dimmed')
  await assert.rejects(readAnswer({ state: 1, files: { total: 1 } }, load, 'a lamp'), Failure)
})

test('readAnswer() fails with the name of the invalid field, without its value', async () => {
  await assert.rejects(readAnswer({ state: 'on', files: { total: 'secret' } }, load, 'a lamp'), (error) => {
    assert.ok(error instanceof Failure)
    assert.equal(error.message, 'The server’s answer is not a lamp')
    assert.equal(error.hint, 'files.total: Invalid input: expected number, received string')
    return true
  })
  await assert.rejects(readAnswer(undefined, load, 'a lamp'), /is not a lamp/)
})

test('readAnswer() fails with the error of the request', async () => {
  await assert.rejects(readAnswer(Promise.reject(new Failure('refused')), load, 'a lamp'), /^Error: refused$/)
})
