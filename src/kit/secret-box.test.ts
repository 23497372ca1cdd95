import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSecretBox } from './secret-box.ts'

test('createSecretBox() opens what it has sealed, whatever the text', () => {
  const box = createSecretBox('key')
  for (const text of ['', 'sk-123', 'ü€😀'.repeat(1000)]) assert.equal(box.open(box.seal(text)), text)
})

test('createSecretBox() opens what a box of the same key has sealed, and of no other', () => {
  const sealed = createSecretBox('key').seal('sk-123')
  assert.equal(createSecretBox('key').open(sealed), 'sk-123')
  assert.throws(() => createSecretBox('another').open(sealed), { code: 'secret_unreadable' })
})

test('createSecretBox() shows neither the text nor that two texts are equal', () => {
  const box = createSecretBox('key')
  const [one, two] = [box.seal('sk-123'), box.seal('sk-123')]
  assert.notEqual(one, two)
  assert.ok(!Buffer.from(one, 'base64').includes('sk-123'))
})

test('createSecretBox() refuses what was changed or cut since', () => {
  const box = createSecretBox('key')
  const bytes = Buffer.from(box.seal('sk-123'), 'base64')
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes)
    changed[at]! ^= 1
    assert.throws(() => box.open(changed.toString('base64')), { code: 'secret_unreadable' }, `byte ${at}`)
  }
  for (const cut of ['', 'AAAA', bytes.subarray(0, -1).toString('base64')])
    assert.throws(() => box.open(cut), { code: 'secret_unreadable' })
})
