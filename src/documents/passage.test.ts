import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fingerprint } from '../kit/hash.ts'
import { passageOf, readablePassage, textOfPassage, withoutHeadMark } from './passage.ts'

test('passageOf() joins head and text, and each reader gets its part back', () => {
  const passage = passageOf('one\n\ntwo', 'Guide › Install')
  assert.equal(readablePassage(passage), 'Guide › Install\none\n\ntwo')
  assert.equal(textOfPassage(passage), 'one\n\ntwo')
})

test('passageOf() leaves a text without a head as it is', () => {
  for (const head of [undefined, '']) assert.equal(passageOf('one\ntwo', head), 'one\ntwo')
  assert.equal(textOfPassage('one\ntwo'), 'one\ntwo')
  assert.equal(readablePassage('one\ntwo'), 'one\ntwo')
})

test('passageOf() tells a head from a first line of the text', () => {
  assert.notEqual(fingerprint(passageOf('two', 'one')), fingerprint(passageOf('one\ntwo', undefined)))
})

test('passageOf() makes a head one line', () => {
  assert.equal(textOfPassage(passageOf('text', 'a\r\nb')), 'text')
})

test('withoutHeadMark() keeps a document from having heads of its own, and keeps its length', () => {
  const hostile = passageOf('text', 'head')
  const clean = withoutHeadMark(hostile)
  assert.equal(textOfPassage(clean), clean)
  assert.equal(clean.length, hostile.length)
})
