import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseDiverse, type DiversityOptions, withoutNearDuplicates } from './diversity.ts'

/** A vector of the plane at an angle, in degrees. */
const at = (angle: number) =>
  Float32Array.of(Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180))

const candidate = (name: string, angle: number) => ({
  name,
  vector: at(angle),
  score: Math.cos((angle * Math.PI) / 180),
})
type Named = ReturnType<typeof candidate>
const vectorOf = ({ vector }: { vector?: Float32Array }) => vector
const choose = (candidates: Named[], options: Partial<DiversityOptions<Named>>) =>
  chooseDiverse(candidates, { lambda: 0.5, fetchK: 20, vectorOf, ...options })
const distinct = (candidates: { vector?: Float32Array }[], threshold: number) =>
  withoutNearDuplicates(candidates, { threshold, vectorOf })
const names = (found: Iterable<object>) => [...found].map((one) => (one as Named).name).join(' ')

const [best, twin, near, far] = [
  candidate('best', 5),
  candidate('twin', 6),
  candidate('near', -20),
  candidate('far', 70),
]

test('chooseDiverse with lambda 1 takes the best scores', () => {
  assert.equal(names(choose([far, near, twin, best], { lambda: 1 })), 'best twin near far')
})

test('chooseDiverse prefers candidates that differ from the chosen ones', () => {
  const all = [far, near, twin, best]
  assert.equal(names(choose(all, {}).take(3)), 'best near twin')
  assert.equal(names(choose(all, { lambda: 0.3 }).take(3)), 'best far near')
  assert.equal(names(choose(all, { lambda: 0 }).take(2)), 'best far')
})

test('chooseDiverse chooses among the fetchK best, each once', () => {
  assert.equal(names(choose([far, near, twin, best], { lambda: 0.1, fetchK: 3 })), 'best near twin')
  assert.deepEqual([...choose([], {})], [])
})

test('chooseDiverse chooses the same whatever the size of the scores', () => {
  const tenth = [far, near, twin, best].map((one) => ({ ...one, score: one.score / 10 }))
  assert.equal(names(choose(tenth, {}).take(3)), 'best near twin')
})

test('withoutNearDuplicates keeps the first of several near duplicates', () => {
  assert.equal(names(distinct([best, twin, near, far], 0.98)), 'best near far')
  assert.equal(names(distinct([twin, best, far], 0.99999)), 'twin best far')
  assert.equal(names(distinct([best, near, far], 0.9)), 'best far')
})

test('withoutNearDuplicates keeps what has no vector or only zeros', () => {
  const zeros = { vector: new Float32Array(2) }
  assert.equal([...distinct([zeros, zeros, {}, {}], 0.98)].length, 4)
})
