import type { Metric } from '../../contract/retrieval.ts'
import type { Point, SeparateEngine } from '../../contract/vector-engine.ts'
import { parseFilter } from '../../vector/filter.ts'
import { closeness } from '../../vector/metric.ts'
import { CheckFailure, type EngineStep, leftOut } from './run-steps.ts'

/** So many points need more than one call of some engines, and are written in a second. */
const POINTS = 300
/** Scores of engines that keep numbers with 16 bits differ by less. */
const TOLERANCE = 2e-3
const IN_GROUP = 10

/**
 * What an engine must be able to do with a new collection, from its first point to its removal, in the order in which it is tried. These are
 * the promises of {@link SeparateEngine} that a flow uses, one after another; the contract suites run the same steps.
 *
 * @param dimensions the length of the vectors
 */
export function engineSteps(
  engine: SeparateEngine,
  { collection, dimensions }: { collection: string; dimensions: number },
): EngineStep[] {
  const { capabilities } = engine
  const metric = capabilities.metrics[0]!
  const points = samplePoints(dimensions)
  const ids = points.map(({ id }) => id)
  const half = ids.filter((_, at) => at % 2 === 1)
  const asked = points[42]!
  const expects = (isRight: boolean, otherwise: string): void => {
    if (!isRight) throw new CheckFailure(otherwise)
  }

  return [
    {
      step: 'create',
      isFoundation: true,
      async run() {
        await engine.upsert(collection, points.slice(0, 1))
        return `vectors of ${dimensions} numbers, compared by ${metric}`
      },
    },
    {
      step: 'write',
      isFoundation: true,
      async run() {
        await engine.upsert(collection, points)
        // The same points again are no second copy.
        await engine.upsert(collection, points.slice(0, 10))
        return `${POINTS} points`
      },
    },
    {
      step: 'read',
      async run() {
        const held = await engine.vectors(collection, [...ids, 'unknown'])
        expects(held.size === POINTS, `${held.size} of ${POINTS} vectors`)
        const wrong = points.filter(({ id, vector }) => !isAlike(held.get(id)!, vector, metric))
        expects(
          wrong.length === 0,
          `${wrong.length} of ${POINTS} vectors are others than those that were written`,
        )
        return `${POINTS} vectors as they were written`
      },
    },
    {
      step: 'search',
      async run() {
        const found = await engine.search(collection, { vector: asked.vector, metric, limit: 10 })
        expects(found.length === 10, `${found.length} of 10 hits`)
        expects(
          found.some(({ id }) => id === asked.id),
          'a point is not among the ten that are nearest to it',
        )
        const off = found.filter(({ id, vectorScore }) => {
          const own = closeness(metric, asked.vector, points[ids.indexOf(id)]!.vector)!
          return vectorScore === null || Math.abs(vectorScore - own) > TOLERANCE * Math.max(1, Math.abs(own))
        })
        expects(off.length === 0, `${off.length} of 10 scores are wrong`)
        return 'the nearest points, with right scores'
      },
    },
    {
      step: 'words',
      async run() {
        if (!capabilities.keywords) return leftOut('words are searched in the database of this server')
        const found = await engine.search(collection, { text: 'which otter?', metric, limit: 10 })
        const right = points.filter(({ text }) => text.includes('otter'))
        expects(
          found.length === right.length && found.every(({ id }) => right.some((point) => point.id === id)),
          `${found.length} texts have the word, and ${right.length} should`,
        )
        return `${right.length} texts with a word`
      },
    },
    {
      step: 'filter',
      async run() {
        if (!capabilities.filters) return leftOut('filters are applied by this server')
        const filter = parseFilter({ group: 3 })
        const found = await engine.search(collection, { vector: asked.vector, metric, limit: 100, filter })
        const inGroup = points.filter(({ metadata }) => metadata.group === 3)
        const missed = inGroup.filter(({ id }) => !found.some((one) => one.id === id))
        expects(missed.length === 0, `it misses ${missed.length} of ${inGroup.length} points`)
        expects(found.length === inGroup.length, `${found.length - inGroup.length} points do not meet it`)
        return `${found.length} of ${POINTS} points`
      },
    },
    {
      step: 'compare',
      async run() {
        const known = new Map(points.map(({ id, text, metadata }) => [id, { text, metadata }]))
        let [held, same] = [0, 0]
        for await (const page of engine.compare(collection, async () => known)) {
          held += page.length
          same += page.filter(({ state }) => state === 'same').length
        }
        expects(held === POINTS && same === POINTS, `${same} of ${held} points are as they were written`)
        const fault = await engine.fault(collection, { dimensions, writes: true })
        expects(fault === undefined, fault ?? '')
        return 'texts and metadata as they were written'
      },
    },
    {
      step: 'delete',
      async run() {
        await engine.delete(collection, [...half, 'unknown'])
        const left = await engine.vectors(collection, ids)
        expects(left.size === POINTS - half.length, `${left.size} of ${POINTS - half.length} points are left`)
        const found = await engine.search(collection, { vector: asked.vector, metric, limit: POINTS })
        const gone = found.filter(({ id }) => half.includes(id))
        expects(gone.length === 0, `${gone.length} points that were deleted are found`)
        return `${half.length} points`
      },
    },
  ]
}

/** Points whose vectors are spread evenly, the same each time. */
function samplePoints(dimensions: number): Point[] {
  let state = 1
  // The minimal standard generator of Park and Miller.
  const random = () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
  return Array.from({ length: POINTS }, (_, at) => ({
    id: `point-${at}`,
    text: `The text of point ${at}${at % 100 === 7 ? ', about an otter' : ''}`,
    metadata: { at, group: Math.floor(at / IN_GROUP), source: 'sluice engine check' },
    vector: Float32Array.from({ length: dimensions }, () => random() - 0.5),
  }))
}

/** An engine that compares by the cosine alone may keep vectors at length 1. */
function isAlike(held: Float32Array, written: Float32Array, metric: Metric): boolean {
  if (held.length !== written.length) return false
  const [one, other] = metric === 'cosine' ? [atLength1(held), atLength1(written)] : [held, written]
  return one.every((number, at) => Math.abs(number - other[at]!) < TOLERANCE)
}

function atLength1(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector)
  return vector.map((number) => number / length)
}
