import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ShortWordCache } from './short-words.ts'

test('ShortWordCache never gives the token of another word', () => {
  let state = 31
  const random = (bound: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % bound
  }
  const letters = 'abcdefghijklmnopqrstuvwxyz0123456789é東'
  const words = Array.from({ length: 40_000 }, () =>
    Array.from({ length: 1 + random(9) }, () => letters[random(letters.length)]).join(''),
  )
  const tokens = new Map(words.map((word, token) => [word, token]))
  const known = new ShortWordCache()
  let found = 0
  for (let round = 0; round < 200_000; round++) {
    const word = words[random(round % 2 === 0 ? 2000 : words.length)]!
    const text = `<${word}>`
    const token = known.find(text, 1, 1 + word.length)
    if (token >= 0) {
      assert.equal(token, tokens.get(word))
      found++
    } else known.keep(tokens.get(word)!)
  }
  assert.ok(found > 50_000)
})

test('ShortWordCache ignores long words and words that are not ASCII', () => {
  const known = new ShortWordCache()
  for (const word of ['ninechars', 'naïve', '東京']) {
    assert.equal(known.find(word, 0, word.length), -1)
    known.keep(7)
    assert.equal(known.find(word, 0, word.length), -1)
  }
  assert.equal(known.find('eightcha', 0, 8), -1)
  known.keep(0)
  assert.equal(known.find('an eightcha!', 3, 11), 0)
})
