import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CodeKind, CONTINUES, definedName, isBracket, LEADS } from './code-kinds.ts'
import { DEFINING, LINE_START, lineStart, MODIFIERS, STATING } from './code-words.ts'

const startOf = (line: string): number =>
  lineStart(line.charCodeAt(0), line.charCodeAt(1), line.charCodeAt(2))

test('definedName() is the name of a function, class or module in many languages', () => {
  const lines: [CodeKind, string, string][] = [
    ['words', 'def read(self):', 'read'],
    ['words', 'async def read(self):', 'read'],
    ['words', 'pub(crate) fn parse<T>(text: &str) -> T {', 'parse'],
    ['words', 'impl<T> Reader<T> {', 'Reader'],
    ['words', 'func (r *Reader) Read(p []byte) (int, error) {', 'Read'],
    ['words', 'defmodule Mail.Reader do', 'Mail.Reader'],
    ['words', 'local function read(name)', 'read'],
    ['words', 'message Größe {', 'Größe'],
    ['script', 'export default class Reader {', 'Reader'],
    ['script', 'export const read = async (name) => {', 'read'],
    ['script', 'let read = name => name', 'read'],
    ['script', '#read(name) {', '#read'],
    ['script', 'constructor(', 'constructor'],
    ['braces', 'public static void main(String[] args) {', 'main'],
    ['braces', 'enum Kind {', 'Kind'],
  ]
  for (const [kind, line, name] of lines) assert.equal(definedName(line, kind), name, line)
  for (const line of ['return read(name)', 'if (ready) {', 'x = 1', '(1)', '', '  def read'])
    for (const kind of ['words', 'script', 'braces', 'plain'] as const)
      assert.equal(definedName(line, kind), undefined, `${kind}: ${line}`)
})

test('definedName() knows a definition by the end of its line, and a statement by its first word', () => {
  assert.equal(definedName('read(name: string, \t', 'script'), 'read')
  assert.equal(definedName('read(name: string)', 'script'), undefined)
  assert.equal(definedName('read: name,', 'script'), undefined)
  assert.equal(definedName('reread(', 'script'), 'reread')
  for (const word of STATING.split('|'))
    for (const kind of ['script', 'braces'] as const)
      assert.equal(definedName(`${word} (ready) {`, kind), undefined, `${kind}: ${word}`)
})

test('lineStart() lets each line through that a pattern of its kind would match', () => {
  const continuing = [')', ']', '}', '{', '} else {', 'end', 'else:', 'elif ready:', 'except:', 'finally {']
  for (const line of [...continuing, 'catch (error) {', 'rescue', 'ensure', 'then', 'fi', 'done', 'esac']) {
    assert.ok(isBracket(line.charCodeAt(0)) || CONTINUES.test(line), line)
    assert.ok(startOf(line) & LINE_START.CONTINUES, line)
  }
  const words = (list: string) => list.replaceAll(/\([^)]*\)+\??|\\\*\?/g, '').split('|')
  for (const word of words(`${MODIFIERS}|${DEFINING}`))
    assert.ok(startOf(`${word} name`) & LINE_START.DEFINES, word)
  for (const word of STATING.split('|')) assert.ok(startOf(word) & LINE_START.STATES, word)
  for (const line of [
    '@cached',
    '#[test]',
    '#',
    '# name',
    '//',
    '/** */',
    '*',
    '-- name',
    '"""',
    "'''",
    '[Test]',
  ]) {
    assert.ok(LEADS.test(line), line)
    assert.ok(startOf(line) & LINE_START.LEADS, line)
  }
  assert.equal(startOf('var = 1'), LINE_START.ASSIGNS)
  assert.equal(startOf('value = 1'), 0)
  assert.ok(startOf('fn') & LINE_START.DEFINES)
  assert.ok(startOf(')') & LINE_START.CONTINUES)
  assert.ok(startOf('#größe') & LINE_START.LEADS)
  assert.equal(startOf('größe = 1'), 0)
  assert.equal(startOf('ß'), 0)
})
