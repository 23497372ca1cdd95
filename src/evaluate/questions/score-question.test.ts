import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { QuestionJudgement } from '../../contract/question-store.ts'
import { holdsPassage, soughtPassage } from './holds-passage.ts'
import { scoreQuestion, soughtJudgements } from './score-question.ts'

const TEXT =
  'Deliveries are signed for by the dock steward. After ten in the evening the night porter signs, and writes the time into the book at the gate.'
const holds = (chunk: string, passage: string) => holdsPassage(soughtPassage(chunk), soughtPassage(passage))

test('a passage is found in another cutting, and not in another text', () => {
  assert.ok(holds(`Article 7\n\n${TEXT} Visitors wait.`, TEXT))
  assert.ok(holds(TEXT.replaceAll(' ', '\n').toUpperCase(), TEXT), 'blanks and case make no difference')
  const half = TEXT.indexOf('After')
  assert.ok(holds(TEXT.slice(half), TEXT), 'a piece of it')
  assert.ok(holds(`Something before it that is not in it. ${TEXT.slice(half)}`, TEXT), 'more than half of it')
  assert.ok(
    !holds(
      `${TEXT.slice(0, half)} Then much follows that stands in no passage at all, of quite other things.`,
      TEXT,
    ),
  )
  assert.ok(!holds('The dock steward is Mr Bell, and the night porter is Mrs Hall.', TEXT))
  assert.ok(!holds('', TEXT) && !holds(TEXT, ' '))
})

const hit = (source: string, pageContent = `A text of ${source} about nothing in particular.`) => ({
  pageContent,
  metadata: { source },
})
const score = (sources: ReturnType<typeof hit>[], judgements: QuestionJudgement[]) => {
  const { met, ...rest } = scoreQuestion(sources, soughtJudgements(judgements))
  return { ...rest, met: [...met] }
}

test('a question about sources is measured by documents, its place is that of the hit', () => {
  const judgements = [{ source: 'b', grade: 1 }]
  // The second hit of a wrong document counts no more than the first, as in a collection.
  const { place, ndcg10, recall10, met } = score([hit('a'), hit('a'), hit('b')], judgements)
  assert.deepEqual([place, recall10, met], [3, 1, [0]])
  assert.equal(ndcg10, 1 / Math.log2(3))
  assert.deepEqual(score([hit('a')], judgements), { place: null, ndcg10: 0, recall10: 0, met: [] })
})

test('several hits of one right document are one answer', () => {
  const judgements = [
    { source: 'a', grade: 1 },
    { source: 'b', grade: 1 },
  ]
  assert.equal(score([hit('a'), hit('a'), hit('b')], judgements).ndcg10, 1)
  assert.equal(score([hit('a')], judgements).recall10, 0.5)
})

test('a passage is right in its source alone, and wrong where it is judged wrong', () => {
  const passage = { quote: TEXT }
  assert.equal(score([hit('b', TEXT), hit('a', TEXT)], [{ source: 'a', passage, grade: 1 }]).place, 2)
  const both = [
    { source: 'a', grade: 1 },
    { source: 'a', passage, grade: 0 },
  ]
  assert.equal(score([hit('a', TEXT)], both).place, null)
  assert.equal(score([hit('a', TEXT), hit('a')], both).place, 2)
})

test('a better grade is worth more at the front', () => {
  const judgements = [
    { source: 'a', grade: 1 },
    { source: 'b', grade: 3 },
  ]
  assert.equal(score([hit('b'), hit('a')], judgements).ndcg10, 1)
  assert.ok(score([hit('a'), hit('b')], judgements).ndcg10! < 0.8)
})

test('a question without a judgement that is right has no measure', () => {
  assert.deepEqual(score([hit('a')], []), { place: null, ndcg10: null, recall10: null, met: [] })
  assert.equal(score([hit('a')], [{ source: 'a', grade: 0 }]).ndcg10, null)
  const judgements = soughtJudgements([{ source: 'a', grade: 1 }])
  assert.equal(scoreQuestion([hit('b')], judgements, () => false).ndcg10, null, 'one that is gone')
})
