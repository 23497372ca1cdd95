import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scriptOf, wordsIn } from './question-kind.ts'

test('wordsIn() counts words between spaces, and two characters as a word where a script has none', () => {
  assert.equal(wordsIn(''), 0)
  assert.equal(wordsIn('  where is\nthe heron? '), 4)
  assert.equal(wordsIn('鷺はどこで待ちますか'), 5)
  assert.equal(wordsIn('x '.repeat(100_000)), 2000)
})

test('scriptOf() goes by most letters, and is undefined for scripts without enough collections', () => {
  assert.equal(scriptOf('Où attend le héron ?'), 'latin')
  assert.equal(scriptOf('鷺は heron どこで待ちますか'), 'east-asian')
  for (const question of ['где цапля?', 'أين البلشون؟', 'बगुला कहाँ है?', '123', ''])
    assert.equal(scriptOf(question), undefined, question)
})
