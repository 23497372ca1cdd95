import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { builtInEmbedder } from '../../src/embed/builtin.ts'
import { passageFeatures, type PassageFeatures } from '../../src/retrieve/rescoring/rescore-candidates.ts'
import { PassageReader } from '../../src/retrieve/rescoring/passage-reading.ts'
import { QuestionTerms } from '../../src/retrieve/rescoring/question-terms.ts'
import { cosine } from '../../src/vector/cosine.ts'

/** Real questions and passages with the features that an independent implementation gives them. */
type Vectors = {
  features: string[]
  cases: {
    question: string
    terms: [term: number, weight: number][]
    text: string
    head: string
    cosine: number
    share: number
    features: number[]
  }[]
}

/** The names of the features in the files. */
const NAMES: [keyof PassageFeatures, string][] = [
  ['keyword', 'b'],
  ['sentence', 'scomb'],
  ['length', 'len'],
  ['coverage', 'cov'],
  ['head', 'hcos'],
  ['phrase', 'lcs'],
  ['proximity', 'span'],
  ['hybrid', 'hyb'],
]

/** Compares the features of the product with those of a file of test vectors, to six decimals. */
export async function assertFeatures(file: string | URL): Promise<void> {
  const embedder = builtInEmbedder()
  const { features: order, cases } = JSON.parse(readFileSync(file, 'utf8')) as Vectors
  assert.equal(cases.length, 12)
  for (const { question, terms, text, head, cosine: ofPassage, share, features } of cases) {
    const reading = new PassageReader(new QuestionTerms(question, new Map(terms))).read(text)
    const vector = await embedder.embedQuery(question)
    const [ofHead, ...cosines] = (await embedder.embed([head, ...reading.sentences])).map(
      (one) => cosine(vector, one) ?? 0,
    )
    const hybrid = 0.4 * ofPassage + 0.6 * share
    const scores = { keyword: share, hybrid, head: ofHead!, sharedHead: 0 }
    const found = passageFeatures(scores, reading, new Map(cosines.entries()), 0)
    for (const [feature, there] of NAMES) {
      const wanted = features[order.indexOf(there)]!
      assert.ok(Math.abs(found[feature] - wanted) < 2e-6, `${feature}: ${found[feature]}, not ${wanted}`)
    }
  }
}
