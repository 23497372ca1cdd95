import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LONGEST_TEXT, readYaml } from './read-yaml.ts'

/** The mistakes of reading a whole text, each as `line:column message`. */
function mistakes(text: string): string[] {
  const yaml = readYaml(text)
  if (yaml.mistakes.length === 0) yaml.value(yaml.contents, 'it')
  return yaml.mistakes.map(({ line, column, message }) => `${line}:${column} ${message}`)
}
const valueIn = (text: string) => {
  const yaml = readYaml(text)
  return yaml.value(yaml.contents, 'it')
}

test('readYaml() says where a text stops being YAML', () => {
  assert.match(mistakes('a: 1\nb: [1, 2\nc: 3\n')[0]!, /^\d+:\d+ \S/)
  assert.match(mistakes('a: "open\n')[0]!, /^\d:\d+ The quotes are not closed$/)
  assert.deepEqual(mistakes('a: 1\nb\n'), ['2:1 Behind a name there is ": " and its value'])
  assert.match(mistakes('a: b: c\n')[0]!, /^1:\d+ A text with ": " in it is written in quotes$/)
  assert.match(mistakes('a:\n  b: 1\n c: 2\n')[0]!, /^3:\d+ The line begins in another column/)
})

test('readYaml() names a key that is there twice, with the line of the first', () => {
  assert.deepEqual(mistakes('a: 1\nb: 2\na: 3\n'), ['3:1 a is there twice: it is in line 1, too'])
})

test('readYaml() reads no aliases: a small text cannot become a large one', () => {
  const bomb = `a: &a [x, x]\n${'bcdefghij'
    .split('')
    .map((name, at) => `${name}: &${name} [*${'abcdefghij'[at]}, *${'abcdefghij'[at]}]`)
    .join('\n')}\n`
  const found = mistakes(bomb)
  assert.ok(found.length > 0)
  for (const one of found) assert.match(one, /Aliases \(\*name\) are not read here/)
})

test('readYaml() refuses values that are too deep, in blocks and in brackets', () => {
  assert.match(mistakes(`${'['.repeat(300)}${']'.repeat(300)}`)[0]!, /more than 100 deep/)
  assert.match(mistakes(`a: ${'['.repeat(100_000)}`)[0]!, /deeper than can be read/)
  assert.match(mistakes(`${'- '.repeat(50_000)}x`)[0]!, /deep/)
})

test('readYaml() refuses a text that is too long, without reading it', () => {
  assert.match(
    mistakes(' '.repeat(LONGEST_TEXT + 1))[0]!,
    /^1:1 The text has 2,000,001 characters; the most are 2,000,000$/,
  )
  assert.match(
    mistakes('a: 1\n'.repeat(90_000))[0]!,
    /^1:1 The text has 450,000 characters outside of blocks of text/,
  )
  assert.deepEqual(mistakes(`a: |\n${'  a line of a long text\n'.repeat(30_000)}`), [])
})

test('readYaml() refuses marks that it does not know, and numbers that JSON cannot hold', () => {
  assert.match(mistakes('a: !run ls\n')[0]!, /^1:\d+ it\.a: !run is no mark of a flow/)
  assert.match(mistakes('a: .inf\n')[0]!, /^1:4 it\.a is a number that is too large, or none$/)
})

test('readYaml() keeps a member with the name __proto__ as a member', () => {
  const value = valueIn('__proto__: {a: 1}\n') as object
  assert.deepEqual(Object.keys(value), ['__proto__'])
  assert.equal(Object.getPrototypeOf(value), Object.prototype)
})

test('readYaml() reads many keys of one map in the time of its length', () => {
  const text = Array.from({ length: 25_000 }, (_, at) => `k${at}: ${at}`).join('\n')
  assert.equal(Object.keys(valueIn(text) as object).length, 25_000)
})
