import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { hashEmbedder } from '../../../test/support/hash-embedder.ts'
import { publishChunks } from '../../../test/support/publish-chunks.ts'
import { sharedStores } from '../../../test/support/store.ts'
import type { Embedder } from '../../contract/embedder.ts'
import type { Reranker } from '../../contract/reranker.ts'
import type { RetrievalSettings } from '../../contract/retrieval.ts'
import { builtInEmbedder } from '../../embed/builtin.ts'
import { parseFilter } from '../../vector/filter.ts'
import type { Retrieved } from '../answer.ts'
import { createRetriever } from '../run.ts'
import type { RetrievalOverrides } from '../settings.ts'
import { RESCORED } from './rescoring-weights.ts'

const { stores, newNamespace } = sharedStores()
const { retrieve } = createRetriever()
const builtIn = builtInEmbedder()

const PLACES = [
  'harbour',
  'bridge',
  'tower',
  'market',
  'museum',
  'station',
  'castle',
  'garden',
  'library',
  'stadium',
]
const QUESTION = 'When does the ferry to the old harbour leave?'

/** Fifty sources of one chunk, in groups of ten that have more and more words of the question; and one with the answer in a sentence. */
const TEXTS = [
  ...Array.from({ length: 50 }, (_, at) => {
    const words = ['old', 'ferry', 'guests'].slice(0, Math.floor(at / 10))
    return `Notes on the ${PLACES[at % 10]} number ${at}, which visitors of the city like. ${words.join('. ')}.`
  }),
  `The city has many sights. ${'There are hotels and shops near each of them. '.repeat(6)}The ferry to the old harbour leaves at noon.`,
]

async function fill(embedder: Embedder, texts: readonly string[] = TEXTS) {
  const store = stores.open(newNamespace())
  const vectors = await embedder.embed(texts)
  const chunks = texts.map((text, at) => {
    const source = `${at}.txt`
    return { source, text, metadata: { source, even: at % 2 === 0 }, vector: vectors[at]! }
  })
  await publishChunks(store, embedder.id, chunks)
  return store
}

let store: Awaited<ReturnType<typeof fill>>
before(async () => {
  store = await fill(builtIn)
})

async function ask(
  asked: RetrievalOverrides,
  more: Partial<RetrievalSettings> = {},
  part = { store, embedder: builtIn },
) {
  const settings = { topK: 10, searchType: 'similarity' as const, ...more }
  const [found] = await retrieve({ ...part, loaders: [], retrieval: settings }, [QUESTION], {
    explain: true,
    ...asked,
  })
  return found!
}

const ids = (found: Retrieved[]) => found.map(({ id }) => id)
const isRescored = ({ parts }: Retrieved) => 'sentence' in parts!

/** The parts of each score add up to it, and no score is above the one before. */
function assertScores(found: Retrieved[]) {
  for (const [at, { score, parts }] of found.entries()) {
    const total = Object.values(parts!).reduce((sum, part) => sum + part, 0)
    assert.ok(Math.abs(total - score) < 1e-9, `${total} is not ${score}`)
    assert.ok(at === 0 || score <= found[at - 1]!.score + 1e-9)
  }
}

test('rescoreCandidates() orders the first 20 of the hybrid order, and keeps the others behind them [query:rescore]', async () => {
  const plain = await ask({ rescore: false, topK: 40 })
  const rescored = await ask({ topK: 40 })
  assert.equal(plain.length, 40)
  assert.notDeepEqual(ids(rescored), ids(plain))
  assert.deepEqual(ids(rescored.slice(0, RESCORED)).toSorted(), ids(plain.slice(0, RESCORED)).toSorted())
  assert.deepEqual(ids(rescored.slice(RESCORED)), ids(plain.slice(RESCORED)))
  assert.deepEqual(
    rescored.map(isRescored),
    rescored.map((_, at) => at < RESCORED),
  )
  assertScores(rescored)
  assertScores(plain)
})

test('rescoreCandidates() gives the best sentence and the phrase more than words far from each other', async () => {
  const [first] = await ask({})
  assert.match(first!.pageContent, /ferry to the old harbour leaves/)
  const { sentence, phrase } = first!.parts!
  for (const other of (await ask({})).slice(1))
    assert.ok(other.parts!.sentence! < sentence! && other.parts!.phrase! < phrase!)
})

test('rescoreCandidates() does not depend on topK, and gives the same each time', async () => {
  const forty = ids(await ask({ topK: 40 }))
  for (const topK of [1, 3, 20, 21]) {
    const found = await ask({ topK })
    assert.deepEqual(ids(found), forty.slice(0, topK))
    assertScores(found)
  }
  assert.deepEqual(await ask({ topK: 40 }), await ask({ topK: 40 }))
})

test('rescoreCandidates() scores a passage that is the question with about 1', async () => {
  const own = await fill(builtIn, [QUESTION, ...TEXTS])
  const [first] = await ask({}, {}, { store: own, embedder: builtIn })
  assert.equal(first!.pageContent, QUESTION)
  assert.ok(first!.score > 0.9 && first!.score < 1.1, `${first!.score}`)
})

test('rescoreCandidates() keeps the hybrid order of candidates with equal scores', async () => {
  const twins = Array.from({ length: 6 }, () => 'The old ferry waits.')
  const own = await fill(builtIn, [...twins, ...TEXTS])
  const part = { store: own, embedder: builtIn }
  const plain = (await ask({ rescore: false, topK: 30 }, {}, part)).filter(
    ({ pageContent }) => pageContent === twins[0],
  )
  const rescored = (await ask({ topK: 30 }, {}, part)).filter(({ pageContent }) => pageContent === twins[0])
  assert.equal(plain.length, 6)
  assert.deepEqual(ids(rescored), ids(plain))
})

test('rescoreCandidates() gives or takes by the length of a passage beside that of the others: of all together nothing', async () => {
  const found = (await ask({ topK: RESCORED })).filter(isRescored)
  const lengths = found.map(({ parts }) => parts!.length!)
  assert.equal(found.length, RESCORED)
  assert.ok(lengths.some((part) => part > 0) && lengths.some((part) => part < 0), `${lengths}`)
  assert.ok(Math.abs(lengths.reduce((sum, part) => sum + part, 0)) < 1e-9, `${lengths}`)
})

test('rescoring is off where a setting or the request says so, and where its weights do not fit [query:rescore]', async () => {
  const reranker: Reranker = {
    id: 'first',
    rerank: async (_query, texts) => texts.map((_, index) => ({ index, score: -index })),
  }
  const other = hashEmbedder({ id: 'other', dimensions: 8 })
  const ofOther = { store: await fill(other), embedder: other }
  const unscored: [string, Promise<Retrieved[]>][] = [
    ['the request', ask({ rescore: false })],
    ['the node', ask({}, { rescore: false })],
    ['rank fusion', ask({ fusion: 'rrf' })],
    ['vector mode', ask({ mode: 'vector' })],
    ['keyword mode', ask({ mode: 'keyword' })],
    ['another metric', ask({}, { metric: 'dot' })],
    ['a reranker', ask({}, { reranker })],
    ['another embedder', ask({ rescore: true }, {}, ofOther)],
  ]
  for (const [reason, found] of unscored) assert.deepEqual((await found).filter(isRescored), [], reason)
  assert.ok((await ask({ rescore: true }, { rescore: false })).every(isRescored))
  assert.ok((await ask({ rerank: false }, { reranker })).every(isRescored))
})

test('rescoring keeps to minScore and filters, and works with any weight', async () => {
  const near = await ask({ minScore: 0.3, topK: 50 })
  assert.ok(near.length > 1 && near.every(({ scores }) => scores.vector! >= 0.3))
  assertScores(near)
  const even = await ask({ filter: parseFilter({ even: true }), topK: 50 })
  assert.equal(even.length, 26)
  assert.ok(even.every(({ metadata }) => metadata.even === true))
  assertScores(even)
  for (const weight of [0, 0.7, 1]) {
    const found = await ask({ weight, topK: 50 })
    assert.deepEqual(
      found.map(isRescored),
      found.map((_, at) => at < RESCORED),
    )
    assertScores(found)
  }
})

test('rescoring comes before near duplicates and MMR', async () => {
  const [best] = await ask({})
  assert.equal((await ask({ mmr: { lambda: 1 } }))[0]!.id, best!.id)
  assert.deepEqual(ids(await ask({ mmr: { lambda: 1 } })), ids(await ask({})))
  const distinct = await ask({ nearDuplicates: 0.9 })
  assert.equal(distinct[0]!.id, best!.id)
  assert.ok(distinct.length < TEXTS.length && distinct.every(isRescored))
  assertScores(distinct)
})

test('rescoring gives the same confidence as the hybrid order', async () => {
  const confidences = (found: Retrieved[]) => new Map(found.map(({ id, confidence }) => [id, confidence]))
  const plain = confidences(await ask({ rescore: false, topK: 50 }))
  const rescored = confidences(await ask({ topK: 50 }))
  for (const [id, confidence] of rescored) assert.equal(confidence, plain.get(id))
})

test('the report says for each question whether probably nothing answers it, whatever topK and rescoring are [query:confidence:unlikely]', async () => {
  const part = {
    store,
    embedder: builtIn,
    loaders: [],
    retrieval: { topK: 5, searchType: 'similarity' as const },
  }
  const questions = [
    'Which minister of finance raised the taxes during the economic crisis in Argentina?',
    'When does the ferry to the old harbour leave on a normal day?',
    'Who received Nobel prizes?',
  ]
  for (const asked of [{}, { topK: 1 }, { topK: 50 }, { rescore: false }]) {
    let said: boolean[] = []
    await retrieve(part, questions, asked, undefined, ({ unlikely }) => {
      said = unlikely
    })
    assert.deepEqual(said, [true, false, false], JSON.stringify(asked))
  }
})

test('rescoring works for questions without words, and for an empty store', async () => {
  const part = {
    store,
    embedder: builtIn,
    loaders: [],
    retrieval: { topK: 5, searchType: 'similarity' as const },
  }
  for (const query of ['?', '   ', '\u0000', 'xqzzkv', 'a'.repeat(100_000)]) {
    const [found] = await retrieve(part, [query], { explain: true })
    assertScores(found!)
    assert.ok(found!.every(({ score }) => Number.isFinite(score)))
  }
  const nothing = await ask({}, {}, { store: stores.open('nothing'), embedder: builtIn })
  assert.deepEqual(nothing, [])
})
