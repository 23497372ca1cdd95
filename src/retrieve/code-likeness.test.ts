import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { isCode, quotesCode } from './code-likeness.ts'

const file = (name: string) => readFileSync(fileURLToPath(new URL(`../../${name}`, import.meta.url)), 'utf8')

test('isCode() tells source code from documents, by the files of this repository', () => {
  for (const name of ['src/retrieve/run.ts', 'src/vector/fusion.ts', 'src/retrieve/answer.ts', 'biome.json'])
    assert.equal(isCode(file(name)), true, name)
  for (const name of ['README.md', 'docs/guide.md', 'docs/operate.md', 'examples/documents/handbook.txt'])
    assert.equal(isCode(file(name)), false, name)
})

test('isCode() does not take sentences of any script, numbers or an empty text for code', () => {
  for (const text of [
    '',
    '   ',
    'The heron waits (often for hours) at the river; then it strikes.',
    '蒼鷺（あおさぎ）は川で待ちます。',
    'Цапля ждёт у реки.',
    '2026-11-26 12:00, 3.5 °C, 12 %',
  ])
    assert.equal(isCode(text), false, text)
})

test('quotesCode() finds identifiers, calls and braces in a question, and no names of products', () => {
  for (const question of [
    'what does read_file return',
    'who calls parse()',
    'is std::vector faster',
    'const f = () => 1',
  ])
    assert.equal(quotesCode(question), true, question)
  for (const question of [
    'Does an iPhone show YouTube (in the EU)?',
    'What is the price for 3 nights?',
    '¿Qué es C++?',
  ])
    assert.equal(quotesCode(question), false, question)
})
