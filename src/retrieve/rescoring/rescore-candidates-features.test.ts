import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Embedder } from '../../contract/embedder.ts'
import type { Candidate, RankedCandidates } from '../../contract/search.ts'
import { builtInEmbedder } from '../../embed/builtin.ts'
import { questionTerms } from '../../text/terms/question.ts'
import { cosine } from '../../vector/cosine.ts'
import { candidateFeatures } from './rescore-candidates.ts'
import { passageFeatures, sentencesToCompare } from './passage-features.ts'
import { PassageReader } from './passage-reading.ts'
import { QuestionTerms } from './question-terms.ts'
import { SharedWords } from './shared-words.ts'

const QUESTION = 'When does the ferry to the old harbour leave?'
const LAST = 'Nothing else is known of it by us as of now.'
const TEXTS = [
  // The first sentence has all words of the question: the second one cannot fit better.
  `The ferry to the old harbour will leave at noon. ${LAST}`,
  // Each sentence has a part of them: either can be the better one.
  'The old harbour is the place that most visitors like. The ferry will leave in the morning and again at noon.',
  // No sentence has any.
  `There is a museum and a garden in the north of the city. ${LAST}`,
]
const HEAD = 'Sights of the city'

const builtIn = builtInEmbedder()

/** The built-in embedder, with the texts of each call. */
function watched(): { embedder: Embedder; calls: string[][] } {
  const calls: string[][] = []
  const embed: Embedder['embed'] = (texts, options) => {
    calls.push([...texts])
    return builtIn.embed(texts, options)
  }
  return { embedder: { ...builtIn, embed }, calls }
}

const candidates = TEXTS.map(
  (pageContent, at): Candidate => ({
    ...{ id: `${at}`, pageContent, metadata: {}, head: HEAD },
    ...{ vectorScore: 0.5, keywordScore: 3 - at, matched: 0.5 },
  }),
)
const found: RankedCandidates = {
  ranked: candidates.map((candidate, at) => ({ candidate, score: 0.9 - at / 10 })),
  found: candidates,
  termWeights: questionTerms(QUESTION),
}
const ranking = { mode: 'hybrid', fusion: 'convex', weight: 0.4 } as const

async function featuresBy(embedder: Embedder) {
  const vector = await builtIn.embedQuery(QUESTION)
  return candidateFeatures(found, { question: QUESTION, vector, ranking, embedder }, 20)
}

test('candidateFeatures() are those of comparing all sentences, and leaves out sentences that cannot be the best', async () => {
  const { embedder, calls } = watched()
  const features = await featuresBy(embedder)
  const embedded = calls.flat()
  assert.equal(embedded.filter((text) => text === LAST).length, 1)
  assert.equal(embedded.length, new Set(embedded).size)
  const [ofAll, ofPart] = TEXTS.slice(0, 2).map((text) => text.split(/(?<=\.) /))
  assert.ok(embedded.includes(ofAll![0]!) && ofPart!.every((sentence) => embedded.includes(sentence)))
  // The last sentence is embedded for the third passage, in which it can be the best, and in the second call.
  assert.deepEqual(
    calls.map((texts) => texts.includes(LAST)),
    [false, true],
  )

  const words = new SharedWords()
  for (const text of TEXTS) words.add(text)
  const sharedWords = words.share()
  assert.ok(sharedWords > 0 && sharedWords < 0.36, `${sharedWords}`)
  const vector = await builtIn.embedQuery(QUESTION)
  const cosineOf = async (text: string) => cosine(vector, await builtIn.embedQuery(text)) ?? 0
  for (const [at, text] of TEXTS.entries()) {
    const reading = new PassageReader(new QuestionTerms(QUESTION, found.termWeights!)).read(text)
    const cosines = new Map<number, number>()
    for (const number of sentencesToCompare(reading))
      cosines.set(number, await cosineOf(reading.sentences[number]!))
    assert.equal(cosines.size, 2)
    const head = await cosineOf(HEAD)
    // All three candidates have the same head: two of them have it after another one.
    const scores = { hybrid: 0.9 - at / 10, keyword: (3 - at) / 3, head, sharedHead: (head * 2) / 3 }
    const wanted = passageFeatures(scores, reading, cosines, sharedWords)
    for (const [name, value] of Object.entries(wanted))
      assert.ok(Math.abs(features[at]![name as keyof typeof wanted] - value) < 1e-6, `${at}: ${name}`)
  }
})

test('candidateFeatures() embeds the head of a source once for many questions', async () => {
  const { embedder, calls } = watched()
  const first = await featuresBy(embedder)
  assert.equal(calls.flat().filter((text) => text === HEAD).length, 1)
  assert.deepEqual(await featuresBy(embedder), first)
  assert.equal(calls.flat().filter((text) => text === HEAD).length, 1)
})

test('candidateFeatures() of a misspelt question are those of the question as it was meant', async () => {
  const typed = QUESTION.replace('harbour', 'harbuor')
  const featuresOf = async (question: string, readings: RankedCandidates['readings'] = []) =>
    candidateFeatures(
      { ...found, readings },
      { question, vector: await builtIn.embedQuery(question), ranking, embedder: builtIn },
      20,
    )
  const readings = [{ word: 'harbuor', readAs: ['harbour', 'arbour'] }]
  const meant = await featuresOf(QUESTION)
  assert.deepEqual(await featuresOf(typed, readings), meant)
  assert.notDeepEqual(await featuresOf(typed), meant)
})

test('candidateFeatures() counts a head for less only where several candidates have it', async () => {
  const vector = await builtIn.embedQuery(QUESTION)
  const ranked = found.ranked.map(({ candidate, score }, at) => ({
    candidate: { ...candidate, head: `${HEAD} ${at}` },
    score,
  }))
  const features = await candidateFeatures(
    { ...found, ranked },
    { question: QUESTION, vector, ranking, embedder: builtIn },
    20,
  )
  assert.ok(features.every(({ head, sharedHead }) => head !== 0 && sharedHead === 0))
})

test('candidateFeatures() reads the text of a chunk, not the head above it', async () => {
  const request = {
    question: QUESTION,
    vector: await builtIn.embedQuery(QUESTION),
    ranking,
    embedder: builtIn,
  }
  const ranked = found.ranked.map(({ candidate, score }) => ({
    candidate: { ...candidate, passage: `${QUESTION}\n${candidate.pageContent}` },
    score,
  }))
  assert.deepEqual(
    await candidateFeatures({ ...found, ranked }, request, 20),
    await candidateFeatures(found, request, 20),
  )
})

test('candidateFeatures() counts the words of a question for nothing in candidates that share most of their words', async () => {
  const request = {
    question: QUESTION,
    vector: await builtIn.embedQuery(QUESTION),
    ranking,
    embedder: builtIn,
  }
  const clause =
    'Copies must keep this notice below their title, without warranty of any kind, whoever granted them, unless another licence says that modified works have further conditions.'
  // Two of three share it: what all have is taken for their form.
  const ranked = found.ranked.map(({ candidate, score }, at) => ({
    candidate: { ...candidate, pageContent: `${candidate.pageContent} ${at < 2 ? clause : ''}` },
    score,
  }))
  const [first] = await candidateFeatures({ ...found, ranked }, request, 20)
  const { sentence, coverage, matched, ...others } = first!
  assert.deepEqual({ sentence, coverage, matched }, { sentence: 0, coverage: 0, matched: 0 })
  const [alone] = await candidateFeatures({ ...found, ranked: ranked.slice(0, 1) }, request, 20)
  assert.ok(alone!.sentence > 0.5 && alone!.coverage > 0.9 && alone!.matched > 0.9)
  assert.deepEqual([others.phrase, others.proximity], [alone!.phrase, alone!.proximity])
})
