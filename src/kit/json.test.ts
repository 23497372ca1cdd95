import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalJson, isObject, type Json, type JsonObject, parseJson } from './json.ts'

test('canonicalJson() writes equal values alike, whatever the order of their keys, at every depth', () => {
  const one = { b: [{ y: 1, x: null }], a: { d: 'é', c: true } }
  const other = { a: { c: true, d: 'é' }, b: [{ x: null, y: 1 }] }
  assert.equal(canonicalJson(one), '{"a":{"c":true,"d":"é"},"b":[{"x":null,"y":1}]}')
  assert.equal(canonicalJson(other), canonicalJson(one))
})

test('canonicalJson() writes keys that look like numbers in the order of their text', () => {
  assert.equal(canonicalJson({ 2: 'b', 10: 'a', 1: { y: 0, x: 1 } }), '{"1":{"x":1,"y":0},"10":"a","2":"b"}')
  assert.equal(
    canonicalJson([
      { b: 1, a: [] },
      { '': {}, é: '"' },
    ]),
    '[{"a":[],"b":1},{"":{},"é":"\\""}]',
  )
  assert.equal(
    canonicalJson(parseJson('{"b":1,"__proto__":{"d":1,"c":2}}')!),
    '{"__proto__":{"c":2,"d":1},"b":1}',
  )
  assert.equal(canonicalJson(parseJson('{"b":1,"__proto__":[2]}')!), '{"__proto__":[2],"b":1}')
  assert.equal(canonicalJson({ b: 1, 9: 1, 10: 1 }), '{"10":1,"9":1,"b":1}')
})

test('canonicalJson() visits each value a few times, at any depth of keys that are out of order', () => {
  let looks = 0
  let value: Json = new Proxy({ b: 1, a: 2 } as JsonObject, {
    ownKeys(target) {
      looks++
      return Reflect.ownKeys(target)
    },
  })
  for (let depth = 0; depth < 150; depth++) value = { z: value, a: depth }
  assert.match(canonicalJson(value), /^\{"a":149,"z":\{"a":148,/)
  assert.ok(looks < 10, `${looks} looks`)
})

test('canonicalJson() keeps apart what is not equal', () => {
  const values = [{ a: 1 }, { a: '1' }, { a: [1] }, { a: { b: 1 } }, [1, 2], [2, 1], null, '', 0, false]
  assert.equal(new Set(values.map(canonicalJson)).size, values.length)
})

test('isObject() is true of objects alone', () => {
  const rows: [unknown, boolean][] = [
    [{}, true],
    [[], false],
    [null, false],
    ['{}', false],
  ]
  for (const [value, expected] of rows) assert.equal(isObject(value), expected, JSON.stringify(value))
})

test('parseJson() answers undefined for what is no JSON', () => {
  assert.deepEqual(parseJson('{"a":[1]}'), { a: [1] })
  assert.equal(parseJson('null'), null)
  for (const text of ['', '{', 'undefined', "{'a': 1}"]) assert.equal(parseJson(text), undefined, text)
})
