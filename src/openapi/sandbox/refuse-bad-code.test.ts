import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refuseBadCode } from './refuse-bad-code.ts'

test('refuseBadCode() takes what parses, and runs nothing', () => {
  for (const code of [
    '',
    'return 1',
    'const x = await fetch($url)\nreturn x.text()',
    'throw new Error("x") // end',
  ])
    assert.doesNotThrow(() => refuseBadCode(code), code)
  assert.doesNotThrow(() => refuseBadCode('return (globalThis.ranHere = true)'))
  assert.equal('ranHere' in globalThis, false)
})

test('refuseBadCode() names the line of what does not parse', () => {
  assert.throws(() => refuseBadCode('const a = 1\nreturn a +'), /does not parse at line 3: Unexpected token/)
  assert.throws(() => refuseBadCode('return {\n  a: 1,,\n}'), /does not parse at line 2/)
})
