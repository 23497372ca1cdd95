import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomBelow } from '../../test/support/random.ts'
import { dampings } from './bm25.ts'
import { eachPosting, type TermPage, PageWriter, postingsOf } from './page.ts'
import { LEFT_OUT, PassageScores } from './passage-scores.ts'

const TERM = 5
const f32 = Math.fround

/** A segment with one term, whose postings are `gap` apart on average and repeat up to `most` times. */
function someTerm(random: (bound: number) => number, passages: number, gap: number, most: number) {
  const classes = Uint8Array.from({ length: passages }, () => random(256))
  const pages: TermPage[] = []
  const writer = new PageWriter(classes, (page) => pages.push(page))
  for (let passage = random(gap); passage < passages; passage += 1 + random(2 * gap - 1))
    writer.add(passage, 1 + random(most))
  writer.endTerm(TERM)
  writer.end()
  return { classes, postings: pages[0] && postingsOf(pages[0], TERM) }
}

test('PassageScores.add() adds what plain code adds, to the bit, for each width of packed numbers', () => {
  const random = randomBelow(7)
  const scores = new PassageScores()
  const damping = dampings({ passages: 1, averageLength: 70 })
  for (let gapBits = 0; gapBits < 9; gapBits++)
    for (const most of [1, 2, 7, 8, 9, 300, 100_000]) {
      const { classes, postings } = someTerm(random, 300 * 2 ** gapBits, 2 ** gapBits, most)
      const weight = f32(0.1 + random(100) / 7)
      const wanted = new Float32Array(classes.length)
      eachPosting(postings!, (passage, occurrences) => {
        wanted[passage]! += f32(weight * f32(occurrences / f32(occurrences + damping[classes[passage]!]!)))
      })
      scores.begin(classes, damping, 0)
      scores.add(postings!, weight, 0, false)
      assert.deepEqual(
        scores.scores.slice(0, classes.length),
        wanted,
        `gaps of ${gapBits} bits, up to ${most}`,
      )
      const highest = wanted.reduce((left, right) => Math.max(left, right))
      const tops = scores.tops()
      assert.equal(Math.max(...tops), highest)
      assert.deepEqual(
        [...scores.collect(highest / 2)],
        [...wanted.keys()].filter((at) => wanted[at]! >= highest / 2),
      )
      assert.deepEqual(
        [...scores.narrow(highest)],
        [...wanted.keys()].filter((at) => wanted[at]! >= highest),
      )
      // Only blocks that can reach the limit, or that have a candidate.
      const candidates = [...scores.narrow(highest)]
      scores.scores.fill(0, 0, classes.length)
      scores.add(postings!, weight, highest, true)
      for (const passage of candidates) assert.equal(scores.scores[passage], wanted[passage])
      for (const [passage, score] of scores.scores.entries())
        assert.ok(score === 0 || score === LEFT_OUT || score === wanted[passage])
    }
})
