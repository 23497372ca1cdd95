import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ParsedBatch } from '../../contract/file-parser.ts'
import type { Chunking } from './chunk-elements.ts'
import { elementsOf } from './local.ts'

const DEFAULT: Chunking = { strategy: 'by_title', maxCharacters: 500, newAfter: 500, combineUnder: 500 }

async function elements(texts: string[], chunking: Partial<Chunking> = {}, metadata = {}): Promise<string[]> {
  async function* batches(): AsyncGenerator<ParsedBatch> {
    for (const [i, pageContent] of texts.entries())
      yield { parts: [{ pageContent, metadata, last: i === texts.length - 1 }], notes: [] }
  }
  const found: string[] = []
  for await (const { parts } of elementsOf(batches(), { ...DEFAULT, ...chunking }))
    for (const part of parts) found.push(`${part.metadata.category}: ${part.pageContent}`)
  return found
}

const PAGE = `# Otters ##
They swim, and they
dive well.

- fish
  and crabs
- 2. eels
10) frogs
Short words
| a | b |
| --- | --- |
| 1 | 2 |

\`\`\`js
# no title

- no item
\`\`\`
Five words are no sentence yet
`

const ELEMENTS = [
  'Title: Otters',
  'NarrativeText: They swim, and they\ndive well.',
  'ListItem: fish\nand crabs',
  'ListItem: 2. eels',
  'ListItem: frogs',
  'UncategorizedText: Short words',
  'Table: | a | b |\n| --- | --- |\n| 1 | 2 |',
  'CodeSnippet: # no title\n\n- no item',
  'NarrativeText: Five words are no sentence yet',
]

test('elementsOf() finds titles, sentences, items, tables and code', async () => {
  assert.deepEqual(await elements([PAGE], { strategy: 'None' }), ELEMENTS)
})

test('elementsOf() gives the same elements however a text is divided', async () => {
  for (let at = 1; at < PAGE.length; at += 7)
    assert.deepEqual(await elements([PAGE.slice(0, at), PAGE.slice(at)], { strategy: 'None' }), ELEMENTS)
})

test('elementsOf() does not hold a text without empty lines or line breaks until its end', async () => {
  for (const line of ['words of a log\n', 'words ']) {
    const seen: number[] = []
    const part = line.repeat(20_000)
    async function* batches(): AsyncGenerator<ParsedBatch> {
      for (let i = 0; i < 20; i++)
        yield { parts: [{ pageContent: part, metadata: {}, last: i === 19 }], notes: [] }
    }
    for await (const { parts } of elementsOf(batches(), { ...DEFAULT, strategy: 'None' }))
      for (const { pageContent } of parts) seen.push(pageContent.length)
    assert.ok(seen.length > 2, line)
    assert.ok(Math.max(...seen) < 1_000_000, line)
  }
})

test('elementsOf() begins a chunk at each title if the one before is large enough, and keeps tables separate', async () => {
  const text = '# A\n\none\n\n# B\n\ntwo\n\n| t |\n\n# C\n\nthree'
  assert.deepEqual(await elements([text]), [
    'CompositeElement: A\n\none\n\nB\n\ntwo',
    'Table: | t |',
    'CompositeElement: C\n\nthree',
  ])
  assert.deepEqual(await elements([text], { combineUnder: 0 }), [
    'CompositeElement: A\n\none',
    'CompositeElement: B\n\ntwo',
    'Table: | t |',
    'CompositeElement: C\n\nthree',
  ])
})

test('elementsOf() does not join a small section if the result would be cut', async () => {
  const [small, large] = ['one two', 'three four five six']
  assert.deepEqual(
    await elements([`# A\n\n${small}\n\n# B\n\n${large}`], { maxCharacters: 30, combineUnder: 30 }),
    [`CompositeElement: A\n\n${small}`, `CompositeElement: B\n\n${large}`],
  )
})

test('elementsOf() fills chunks up to a size and cuts what is longer', async () => {
  const text = 'one two\n\nthree\n\nfour five six seven'
  assert.deepEqual(await elements([text], { strategy: 'basic', maxCharacters: 14, newAfter: 14 }), [
    'CompositeElement: one two\n\nthree',
    'CompositeElement: four five six',
    'CompositeElement: seven',
  ])
  assert.deepEqual(await elements(['a\n\nb\n\nc'], { strategy: 'basic', newAfter: 1 }), [
    'CompositeElement: a',
    'CompositeElement: b',
    'CompositeElement: c',
  ])
})

test('elementsOf() keeps the metadata of a document and adds the page number', async () => {
  const batches = async function* () {
    yield { parts: [{ pageContent: 'One.', metadata: { loc: { pageNumber: 3 } }, last: true }], notes: ['n'] }
  }
  for await (const batch of elementsOf(batches(), DEFAULT))
    assert.deepEqual(batch, {
      parts: [
        {
          pageContent: 'One.',
          metadata: { loc: { pageNumber: 3 }, page_number: 3, category: 'CompositeElement' },
          last: true,
        },
      ],
      notes: ['n'],
    })
})
