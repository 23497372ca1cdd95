import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NodeCard } from '../../contract/card.ts'
import { readValues } from '../../flow/assemble.ts'
import { catalog } from '../catalog.ts'

/** Cuts a text with a node whose inputs have the form of flow files: numbers as text, "" for an empty input. */
function cut(name: string, inputs: Record<string, unknown>, text: string): string[] {
  const card = catalog.get(name) as NodeCard<'splitter'>
  const values = readValues(card, { id: `${name}_0`, name, label: card.label, category: '', inputs })
  const splitter = card.build({ values, parts: {} }, undefined as never)
  return splitter.split(text).map((piece) => piece.text)
}

const CUTS: [name: string, inputs: Record<string, unknown>, text: string, chunks: string[]][] = [
  [
    'characterTextSplitter',
    { separator: '', chunkSize: '9', chunkOverlap: '0' },
    'one two\n\nthree',
    ['one two', 'three'],
  ],
  ['characterTextSplitter', { separator: ';', chunkSize: 3, chunkOverlap: 0 }, 'a b;c d', ['a b', 'c d']],
  [
    'codeTextSplitter',
    { language: 'python', chunkSize: '16', chunkOverlap: '0' },
    'def a():\n  pass\n\ndef b():\n  pass',
    ['def a():\n  pass', 'def b():\n  pass'],
  ],
  [
    'htmlToMarkdownTextSplitter',
    { chunkSize: '14', chunkOverlap: '0' },
    '<h2>Otter</h2><p>swims well</p>',
    ['## Otter', 'swims well'],
  ],
  [
    'markdownTextSplitter',
    { splitByHeaders: 'h1', chunkSize: '', chunkOverlap: '' },
    '# A\na\n# B\nb',
    ['# A\na', '# B\nb'],
  ],
  ['markdownTextSplitter', { splitByHeaders: '' }, '# A\na\n# B\nb', ['# A\na\n# B\nb']],
  [
    'recursiveCharacterTextSplitter',
    { separators: '["|"]', chunkSize: 4, chunkOverlap: 0 },
    'ab|cd',
    ['ab', '|cd'],
  ],
  [
    'tokenTextSplitter',
    { encodingName: 'cl100k_base', chunkSize: 2, chunkOverlap: 0 },
    'one two three',
    ['one two', ' three'],
  ],
]

for (const [name, inputs, text, chunks] of CUTS)
  test(`${name} cuts with ${JSON.stringify(inputs)}`, () => {
    assert.deepEqual(cut(name, inputs, text), chunks)
  })

test('codeTextSplitter refuses to build without a language', () => {
  assert.throws(() => cut('codeTextSplitter', { language: '' }, 'x'), /no language is selected/)
})

test('every splitter refuses an overlap that is not smaller than the size, and takes an overlap of 0', () => {
  const splitters = [...catalog.values()].filter((card) => card.kind === 'splitter')
  assert.equal(splitters.length, 7)
  for (const { name } of splitters) {
    assert.throws(() => cut(name, { chunkSize: 5, chunkOverlap: 5, language: 'go' }, 'x'), /smaller/)
    assert.deepEqual(cut(name, { chunkSize: 5, chunkOverlap: 0, language: 'go' }, 'x'), ['x'])
  }
})
