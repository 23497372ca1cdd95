import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalog } from '../../src/nodes/catalog.ts'
import { builtPart } from '../support/built-part.ts'
import { textSplitterSuite } from './text-splitter.ts'

/** The nodes that cut texts, with the inputs they cannot do without, and a few others. */
const NODES: [node: string, inputs: Record<string, string>][] = [
  ['characterTextSplitter', {}],
  ['characterTextSplitter', { separator: ' ' }],
  ['codeTextSplitter', { language: 'python' }],
  ['codeTextSplitter', { language: 'js' }],
  ['htmlToMarkdownTextSplitter', {}],
  ['markdownTextSplitter', {}],
  ['markdownTextSplitter', { splitByHeaders: 'h3' }],
  ['recursiveCharacterTextSplitter', {}],
  ['recursiveCharacterTextSplitter', { separators: '["\\n", ", ", ""]' }],
  ['sluiceTextSplitter', {}],
  ['tokenTextSplitter', { encodingName: 'gpt2' }],
  ['tokenTextSplitter', { encodingName: 'cl100k_base' }],
]

for (const [node, inputs] of NODES)
  textSplitterSuite(
    `${node} ${JSON.stringify(inputs)}`,
    (sizes) => builtPart('splitter', node, { ...inputs, ...sizes }),
    { cutsCharacters: node === 'tokenTextSplitter' },
  )

test('textSplitterSuite() is run by every splitter of the catalog', () => {
  const splitters = [...catalog.values()].filter(({ kind }) => kind === 'splitter').map(({ name }) => name)
  assert.deepEqual([...new Set(NODES.map(([node]) => node))].sort(), splitters.sort())
})
