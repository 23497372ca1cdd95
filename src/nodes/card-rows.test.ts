import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import type { NodeCard } from '../contract/card.ts'
import { catalog } from './catalog.ts'
import { CHAT_PROVIDERS } from './chat-models/chat-providers.ts'
import { EMBEDDING_PROVIDERS } from './embeddings/embedding-providers.ts'
import { searchServices } from './tools/search-services.ts'

/* What a new card needs outside of src/nodes. The tests that are named here are long ones: they find it, too, but later. */

const read = (file: string) => readFileSync(path.join(import.meta.dirname, '../..', file), 'utf8')
const chatRows = new Set(CHAT_PROVIDERS.map(({ node }) => node))
const embeddingRows = new Set(EMBEDDING_PROVIDERS.map(({ node }) => node))
const isRow = ({ name }: NodeCard) => chatRows.has(name) || embeddingRows.has(name)

/** Which cards stand in which test, and as what. */
const ROWS: readonly { file: string; what: string; has: (card: NodeCard) => boolean }[] = [
  {
    file: 'test/support/chat-dialects.ts',
    what: 'a dialect in CHAT_DIALECTS',
    has: ({ name }) => chatRows.has(name),
  },
  {
    file: 'test/support/embed-dialects.ts',
    what: 'a call in EMBED_CALLS',
    has: ({ name }) => embeddingRows.has(name),
  },
  {
    file: 'test/api/chat-models.test.ts',
    what: 'a row in CARDS',
    has: (card) => card.kind === 'chatModel' && !isRow(card),
  },
  {
    file: 'test/contract/embedders.test.ts',
    what: 'a row in NODES',
    has: (card) => card.kind === 'embedder' && !isRow(card),
  },
  {
    file: 'test/contract/text-splitters.test.ts',
    what: 'a row in NODES',
    has: ({ kind }) => kind === 'splitter',
  },
  {
    file: 'test/contract/loaders.test.ts',
    what: 'a row in UPLOADS or ITEMS',
    has: ({ kind }) => kind === 'loader',
  },
  {
    file: 'test/api/model-lists.test.ts',
    what: 'a row in CARDS',
    has: (card) => card.lists?.listModels !== undefined && !isRow(card),
  },
]

for (const { file, what, has } of ROWS)
  test(`each card that ${file} is about stands there`, () => {
    const text = read(file)
    const cards = [...catalog.values()].filter(has)
    assert.ok(cards.length > 2)
    for (const { name } of cards)
      assert.ok(
        text.includes(`'${name}'`) || text.includes(`\n  ${name}: `),
        `${name} has no test: add ${what} of ${file}`,
      )
  })

/** The search services with a recorded answer: the name of the node, and that of the service in messages. */
const recorded = new Map(
  [...read('test/fixtures/search-answers.ts').matchAll(/node: '(\w+)',\n *service: '([^']+)'/g)].map(
    ([, node, service]) => [node!, service!],
  ),
)

test('each search service has a recorded answer', () => {
  for (const { name } of searchServices)
    assert.ok(
      recorded.has(name),
      `${name} has no recorded answer: add it to SEARCHES of test/fixtures/search-answers.ts`,
    )
})

/** The line of docs/guide.md that lists something. */
function listed(what: string): string {
  const [, text = ''] =
    new RegExp(`^- \\*\\*${what}\\*\\*:((?:.|\\n(?!-|\\n))*)`, 'm').exec(read('docs/guide.md')) ?? []
  return text.replace(/\s+/g, ' ')
}

test('docs/guide.md names each provider of embeddings and each search service', () => {
  const [embeddings, searches] = [listed('Embeddings'), listed('Search of the web')]
  for (const { provider, node } of EMBEDDING_PROVIDERS)
    assert.ok(
      embeddings.includes(provider.replace(/ OpenAI$/, '')),
      `name ${provider} in the line Embeddings of docs/guide.md: ${node}`,
    )
  for (const [node, service] of recorded)
    assert.ok(
      searches.includes(service),
      `name ${service} in the line Search of the web of docs/guide.md: ${node}`,
    )
})
