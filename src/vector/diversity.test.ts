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
const choose = (candidates: Named[], options: Omit<DiversityOptions<Named>, 'vectorOf'>) =>
  chooseDiverse(candidates, { ...options, vectorOf })
const names = (list: { name: string }[]) => list.map(({ name }) => name).join(' ')

const [best, twin, near, far] = [
  candidate('best', 5),
  candidate('twin', 6),
  candidate('near', -20),
  candidate('far', 70),
]

test('chooseDiverse with lambda 1 takes the best scores', () => {
  assert.equal(names(choose([far, near, twin, best], { k: 3, lambda: 1 })), 'best twin near')
})

test('chooseDiverse prefers what is unlike the chosen', () => {
  assert.equal(names(choose([far, near, twin, best], { k: 3 })), 'best near twin')
  assert.equal(names(choose([far, near, twin, best], { k: 3, lambda: 0.3 })), 'best far near')
  assert.equal(names(choose([far, near, twin, best], { k: 2, lambda: 0 })), 'best far')
})

test('chooseDiverse chooses among the fetchK best, and among k at least', () => {
  assert.equal(names(choose([far, near, twin, best], { k: 2, lambda: 0.1, fetchK: 3 })), 'best near')
  assert.equal(choose([far, near, twin, best], { k: 4, fetchK: 1 }).length, 4)
})

test('chooseDiverse answers fewer where there are fewer, and none for none', () => {
  assert.equal(names(choose([twin], { k: 5 })), 'twin')
  assert.deepEqual(choose([], { k: 5 }), [])
  assert.deepEqual(choose([best], { k: 0 }), [])
})

test('withoutNearDuplicates keeps the first of those that say the same', () => {
  assert.equal(
    names(withoutNearDuplicates([best, twin, near, far], { threshold: 0.98, limit: 9, vectorOf })),
    'best near far',
  )
  assert.equal(
    names(withoutNearDuplicates([twin, best, far], { threshold: 0.99999, limit: 9, vectorOf })),
    'twin best far',
  )
  assert.equal(
    names(withoutNearDuplicates([best, near, far], { threshold: 0.9, limit: 9, vectorOf })),
    'best far',
  )
})

test('withoutNearDuplicates keeps what has no vector or only zeros', () => {
  const zeros = { vector: new Float32Array(2) }
  assert.equal(
    withoutNearDuplicates([zeros, zeros, {}, {}], { threshold: 0.98, limit: 9, vectorOf }).length,
    4,
  )
})

test('withoutNearDuplicates stops where it has as many as asked', () => {
  const options = { threshold: 0.98, limit: 2, vectorOf }
  assert.equal(names(withoutNearDuplicates([best, twin, near, far], options)), 'best near')
})

test('chooseDiverse chooses the same whatever the size of the scores', () => {
  const tenth = [far, near, twin, best].map((one) => ({ ...one, score: one.score / 10 }))
  assert.equal(names(choose(tenth, { k: 3 })), 'best near twin')
})
