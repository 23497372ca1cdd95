import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkPins, readPins, requireNarrow } from './pins.ts'

const refused = (reason: RegExp) => ({ code: 'pins_invalid', message: reason })
const named = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, 'x']))

test('checkPins() takes names and texts up to their limits', () => {
  for (const pins of [
    {},
    { tenant: 'acme' },
    { _a: 'b c', 'A-9_': 'é' },
    { ['n'.repeat(64)]: 'v'.repeat(200) },
    named(8),
  ])
    assert.deepEqual(checkPins(pins), pins)
})

for (const [what, pins, reason] of [
  ['nine pins', named(9), /at most 8/],
  ['a name that begins with a digit', { '1st': 'x' }, /"1st" is no name/],
  ['a name with a dot, which leads into objects', { 'a.b': 'x' }, /is no name/],
  ['an empty name', { '': 'x' }, /is no name/],
  ['a name of 65 characters', { ['n'.repeat(65)]: 'x' }, /is no name/],
  ['the source, which the server sets', { source: 'x' }, /sets the metadata key source itself/],
  ['the place, which the server sets', { loc: 'x' }, /key loc itself/],
  ['the conversation, which the server sets', { flowise_chatId: 'x' }, /key flowise_chatId itself/],
  ['a property of every object', { constructor: 'x' }, /key constructor itself/],
  ['a number', { a: 1 }, /value of a is no text/],
  ['null', { a: null }, /value of a is no text/],
  ['an empty value', { a: '' }, /value of a is empty/],
  ['a value with a space before it', { a: ' x' }, /spaces around/],
  ['a value with a space after it', { a: 'x ' }, /spaces around/],
  ['a value of 201 characters', { a: 'v'.repeat(201) }, /more than 200/],
  ['a control character', { a: 'x\u0000y' }, /control characters/],
  ['half a character', { a: 'x\ud800' }, /half a character/],
] as const)
  test(`checkPins() refuses ${what}`, () => {
    assert.throws(() => checkPins(pins), refused(reason))
  })

test('checkPins() refuses __proto__, and shortens a long name in its message', () => {
  assert.throws(() => checkPins(JSON.parse('{"__proto__": "x"}')), refused(/key __proto__ itself/))
  assert.throws(() => checkPins({ ['-'.repeat(500)]: 'x' }), refused(/^[^"]*"-{80}" is no name/))
})

test('readPins() reads name=value, with spaces around both and further signs in the value', () => {
  assert.deepEqual(readPins(['tenant=acme', ' area = a=b ']), { tenant: 'acme', area: 'a=b' })
  assert.deepEqual(readPins([]), {})
})

for (const [what, texts, reason] of [
  ['a text without a sign', ['tenant'], /"tenant" has no form name=value/],
  ['a text without a name', ['=acme'], /no form/],
  ['a name of spaces', ['  =acme'], /no form/],
  ['a name twice', ['a=1', 'a=2'], /a is given twice/],
  ['a name twice with the same value', ['a=1', 'a=1'], /a is given twice/],
  ['what checkPins() refuses', ['a='], /value of a is empty/],
] as const)
  test(`readPins() refuses ${what}`, () => {
    assert.throws(() => readPins(texts), refused(reason))
  })

test('readPins() shows 80 characters of what it cannot read', () => {
  assert.throws(() => readPins(['x'.repeat(500)]), refused(/"x{80}" has no form/))
})

test('requireNarrow() refuses pins with the scope manage, and nothing else', () => {
  assert.throws(
    () => requireNarrow({ pins: { tenant: 'acme' }, scopes: ['query', 'manage'] }),
    refused(/the scope manage sees the documents of all/),
  )
  requireNarrow({ pins: {}, scopes: ['manage'] })
  requireNarrow({ pins: { tenant: 'acme' }, scopes: ['query', 'upsert'] })
})
