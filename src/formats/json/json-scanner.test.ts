import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type JsonPath, JsonScanner } from './json-scanner.ts'

function scan(
  json: string,
  size = json.length,
): { texts: Record<string, string>; opened: string[]; isComplete: boolean } {
  const texts: Record<string, string> = {}
  const opened: string[] = []
  const at = (path: JsonPath) => path.join('.')
  const scanner = new JsonScanner(
    {
      open: (path) => void opened.push(at(path)),
      close: () => {},
      text(path) {
        const key = at(path)
        texts[key] = ''
        return (piece) => (texts[key] += piece)
      },
    },
    10,
  )
  for (let from = 0; from < json.length; from += size) scanner.push(json.slice(from, from + size))
  return { texts, opened, isComplete: scanner.isComplete }
}

test('JsonScanner gives the texts with their paths, whatever the pieces are', () => {
  const value = {
    a: 'x "\\/\b\f\n\r\t \u00fc\ud83e\udda6 y',
    b: [1, 'one', [], {}, ['two', { c: 'three' }], null],
    'key "1"': { d: true, e: '' },
  }
  const expected = {
    a: value.a,
    'b.1': 'one',
    'b.4.0': 'two',
    'b.4.1.c': 'three',
    'key "1".e': '',
  }
  for (const json of [JSON.stringify(value), JSON.stringify(value, null, 2).replace('\u00fc', '\\u00FC')])
    for (const size of [1, 2, 3, 5, 100, 1000]) {
      const { texts, opened, isComplete } = scan(json, size)
      assert.deepEqual(texts, expected)
      assert.deepEqual(opened, ['', 'b', 'b.2', 'b.3', 'b.4', 'b.4.1', 'key "1"'])
      assert.ok(isComplete)
    }
})

test('JsonScanner sees whether one value is complete', () => {
  for (const json of ['{}', '[1]', '"x"', ' {"a": [{}]} ']) assert.ok(scan(json).isComplete, json)
  for (const json of ['', '{', '[[]', '"x', '{}{}', '"a""b"', 'words'])
    assert.ok(!scan(json).isComplete, json)
})

test('JsonScanner throws for brackets that do not match and for values nested too deep', () => {
  for (const json of ['{]', '[}', ']']) assert.throws(() => scan(json), SyntaxError)
  assert.ok(scan('['.repeat(10)))
  assert.throws(() => scan('['.repeat(11)), RangeError)
})
