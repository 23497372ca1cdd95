import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CodeKind, CONTINUES, definedName, LEADS, LINE_START, lineStart } from './code-kinds.ts'

const startOf = (line: string): number => lineStart(line.charCodeAt(0), line.charCodeAt(1))

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

test('lineStart() lets each line through that a pattern of its kind would match', () => {
  const continuing = [')', ']', '}', '{', '} else {', 'end', 'else:', 'elif ready:', 'except:', 'finally {']
  for (const line of [...continuing, 'catch (error) {', 'rescue', 'ensure', 'then', 'fi', 'done', 'esac']) {
    assert.ok(CONTINUES.test(line), line)
    assert.ok(startOf(line) & LINE_START.CONTINUES, line)
  }
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
  assert.equal(startOf('value = 1'), LINE_START.ASSIGNS)
  assert.equal(startOf('größe = 1'), 0)
  assert.equal(startOf('ß'), 0)
})
