import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PromptPiece } from '../../contract/prompt.ts'
import { promptPieces, valueNames } from './prompt-text.ts'

const shown = (pieces: readonly PromptPiece[]) =>
  pieces.map((piece) => (piece.type === 'text' ? piece.text : { [piece.type]: piece.name }))

for (const [text, expected] of [
  ['A name for {product}?', ['A name for ', { value: 'product' }, '?']],
  ['{ user name } {{ question }}', [{ value: 'user name' }, ' ', { place: 'question' }]],
  [
    '{{$vars.team}}{{llmChain_0.data.instance}}',
    [{ place: '$vars.team' }, { place: 'llmChain_0.data.instance' }],
  ],
  // Braces of JSON stay, also where its author has doubled them.
  ['{"a": {"b": [1]}} {}', ['{"a": {"b": [1]}} {}']],
  ['{{"a": {{"b": {x}}}}}', ['{"a": {"b": ', { value: 'x' }, '}}']],
  ['{{{x}}}', ['{', { value: 'x' }, '}']],
  ['{x: 1} {\n} {1} } {', ['{x: 1} {\n} {1} } {']],
  ['{größe}', [{ value: 'größe' }]],
  ['', []],
] as [string, unknown[]][])
  test(`promptPieces() of ${JSON.stringify(text)}`, () =>
    assert.deepEqual(shown(promptPieces(text)), expected))

test('promptPieces() with double braces has values between them, and no places', () => {
  assert.deepEqual(shown(promptPieces('{{ word }} {a} {{{"b": 1}}}', 'double')), [
    { value: 'word' },
    ' {a} {{{"b": 1}}}',
  ])
})

test('promptPieces() takes a time that grows with the text alone', () => {
  assert.equal(promptPieces('{'.repeat(100_000)).length, 1)
  assert.equal(promptPieces(`{${'a '.repeat(50_000)}`).length, 1)
})

test('valueNames() has each name once, in the order of the messages', () => {
  const messages = [
    { role: 'system' as const, pieces: promptPieces('{b} {a}') },
    { role: 'user' as const, pieces: promptPieces('{a} {{question}} {c}') },
  ]
  assert.deepEqual(valueNames({ messages }), ['b', 'a', 'c'])
})
