import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomBelow } from '../../test/support/random.ts'
import { createSecretMask } from './secret-mask.ts'

const SECRET = 'k9/ä+"secret value"&x'

function masked(...secrets: string[]) {
  const mask = createSecretMask()
  for (const secret of secrets) mask.add(secret)
  return mask
}

for (const [how, spelling] of [
  ['as it is', SECRET],
  ['as JSON has it', JSON.stringify(SECRET).slice(1, -1)],
  ['as addresses have it', encodeURIComponent(SECRET)],
  ['in small hexadecimal digits', encodeURIComponent(SECRET).replace(/%../g, (byte) => byte.toLowerCase())],
  ['as forms have it', new URLSearchParams({ s: SECRET }).toString().slice(2)],
  ['in base64', Buffer.from(SECRET).toString('base64')],
  ['in base64url', Buffer.from(SECRET).toString('base64url')],
] as const) {
  test(`createSecretMask() replaces a secret ${how} [secret:masked-in-runs]`, () =>
    assert.equal(masked(SECRET).text(`a ${spelling}, b`), 'a ••••, b'))

  test(`createSecretMask() replaces a secret ${how}, cut anywhere in a stream [secret:masked-in-runs]`, () => {
    const text = `ab${spelling}cd`
    for (let one = 0; one <= text.length; one++)
      for (let other = one; other <= text.length; other++) {
        const stream = masked(SECRET).stream()
        const pieces = [text.slice(0, one), text.slice(one, other), text.slice(other)]
        assert.equal(pieces.map(stream.push).join('') + stream.end(), 'ab••••cd')
      }
  })
}

for (const user of ['', 'u', 'us', 'use', 'user'])
  test(`createSecretMask() replaces a secret behind the name ${JSON.stringify(user)} of basic authentication`, () => {
    const secret = 'correct-horse-battery'
    const shown = masked(secret).text(Buffer.from(`${user}:${secret}!!`).toString('base64'))
    const left = Buffer.from(shown.replace('••••', ''), 'base64').toString('latin1')
    assert.ok(shown.includes('••••'), shown)
    assert.ok(!left.includes(secret.slice(2, 8)), left)
  })

test('createSecretMask() leaves short values and other texts alone', () => {
  const mask = createSecretMask({ shortestWord: 8 })
  for (const secret of ['abc12', 'ollama']) mask.add(secret)
  assert.equal(mask.text('an ollama of abc12'), 'an ollama of abc12')
  const value = { a: ['abc12', 1, null, true] }
  assert.equal(mask.json(value), value)
})

test('createSecretMask() takes the longer of two secrets that begin alike, in a stream too', () => {
  const mask = masked('abcde1', 'abcde1ghi')
  assert.equal(mask.text('abcde1ghi abcde1'), '•••• ••••')
  const stream = mask.stream()
  const shown = [...'abcde1ghi abcde1g'].map(stream.push).join('')
  assert.equal(shown + stream.end(), '•••• ••••g')
})

test('createSecretMask() masks fields and their names', () => {
  const mask = masked('hidden-value')
  assert.deepEqual(mask.json({ a: [{ 'x hidden-value': 'hidden-value' }], b: 3 }), {
    a: [{ 'x ••••': '••••' }],
    b: 3,
  })
})

test('createSecretMask() holds nothing back that cannot become a secret', () => {
  const stream = masked('hidden-value').stream()
  assert.deepEqual(['a hid', 'ing place', ' hidden-'].map(stream.push), ['a ', 'hiding place', ' '])
  assert.equal(stream.end(), 'hidden-')
})

test('createSecretMask() forgets the oldest secrets beyond its bound', () => {
  const mask = createSecretMask({ most: 2 })
  for (const secret of ['secret-one', 'secret-two', 'secret-three']) mask.add(secret)
  assert.equal(mask.text('secret-one secret-two secret-three'), 'secret-one •••• ••••')
})

test('createSecretMask() masks a text in pieces as it masks it whole, wherever it is cut', () => {
  const below = randomBelow(7)
  const word = (length: number) => Array.from({ length }, () => 'ab1'[below(3)]).join('')
  for (let round = 0; round < 300; round++) {
    const mask = createSecretMask()
    for (let n = 0; n < 4; n++) mask.add(word(6 + below(4)))
    const text = word(120)
    const stream = mask.stream()
    let shown = ''
    for (let at = 0; at < text.length; ) {
      const length = 1 + below(round % 2 === 0 ? 4 : 60)
      shown += stream.push(text.slice(at, at + length))
      at += length
    }
    assert.equal(shown + stream.end(), mask.text(text), text)
  }
})
