import { randomBits } from './random-bits.ts'

/** The difference of two variants on one question, and what it shares with others: questions of one cluster are no two observations. */
export type PairedDifference = { difference: number; cluster: string }

/** Up to so many clusters that differ, every flip of signs is looked at. */
export const EXACT_UP_TO = 12

/** How many flips are drawn where there are more. */
export const FLIPS = 10_000

export type PairedTest = {
  questions: number
  /** How many clusters there are, and how many of them differ at all. */
  clusters: number
  differing: number
  /** The mean of the differences. */
  difference: number
  /** How likely a mean so far from 0 is where both variants are equally good. */
  p: number
  /**
   * The means that the same test does not reject at a level: from low to high.
   *
   * @param level the share of errors of both sides together
   */
  interval(level: number): { low: number; high: number }
}

/**
 * The paired randomisation test over questions: where two variants are equally good, each difference might as well have the other sign.
 * The signs of a cluster flip together.
 *
 * @param seed of the flips that are drawn; equal seeds give equal results
 */
export function pairedTest(differences: readonly PairedDifference[], seed: number): PairedTest {
  const clusters = clustersOf(differences)
  const total = sumOf(clusters, 'sum')
  const differing = clusters.filter(({ sum }) => Math.abs(sum) > EPSILON)
  const questions = differences.length
  let limits: Limits | undefined
  return {
    questions,
    clusters: clusters.length,
    differing: differing.length,
    difference: questions === 0 ? 0 : total / questions,
    p: differing.length <= EXACT_UP_TO ? exactP(differing) : drawnP(differing, seed),
    interval(level) {
      limits ??= limitsOf(clusters, seed)
      return intervalAt(limits, level)
    },
  }
}

/** Sums of rounded scores that should be equal differ by less. */
const EPSILON = 1e-12

type Cluster = { sum: number; size: number }

function clustersOf(differences: readonly PairedDifference[]): Cluster[] {
  const found = new Map<string, Cluster>()
  for (const { difference, cluster } of differences) {
    const known = found.get(cluster)
    if (known) {
      known.sum += difference
      known.size++
    } else found.set(cluster, { sum: difference, size: 1 })
  }
  return [...found.values()]
}

const sumOf = (clusters: readonly Cluster[], key: keyof Cluster): number =>
  clusters.reduce((sum, cluster) => sum + cluster[key], 0)

/** The share of all flips whose sum is as far from 0; without a difference that is all of them. */
function exactP(differing: readonly Cluster[]): number {
  const least = Math.abs(sumOf(differing, 'sum')) - EPSILON
  const flips = 2 ** differing.length
  let asFar = 0
  for (let flip = 0; flip < flips; flip++) {
    let sum = 0
    for (const [at, one] of differing.entries()) sum += (flip >> at) & 1 ? -one.sum : one.sum
    if (Math.abs(sum) >= least) asFar++
  }
  return asFar / flips
}

/** The same of drawn flips; what was measured counts as one of them, so that no p is 0. */
function drawnP(differing: readonly Cluster[], seed: number): number {
  const total = sumOf(differing, 'sum')
  const least = Math.abs(total) - EPSILON
  let asFar = 1
  eachSubset(differing, seed, (sum) => {
    if (Math.abs(2 * sum - total) >= least) asFar++
  })
  return asFar / (FLIPS + 1)
}

/** For each drawn flip the largest and the smallest mean at which it counts, sorted. */
type Limits = { high: Float64Array; low: Float64Array }

/**
 * A mean d is not rejected while enough flips of the differences less d are as far from 0. A flip that turns the clusters F and leaves
 * the others is so for d between the mean over F and the mean over the others: (A - dB)² - (D - d)² is the product of both distances.
 * So the limits of the interval are quantiles of the larger and of the smaller of the two means, and no search is needed.
 */
function limitsOf(clusters: readonly Cluster[], seed: number): Limits {
  const total = sumOf(clusters, 'sum')
  const questions = sumOf(clusters, 'size')
  const high = new Float64Array(FLIPS)
  const low = new Float64Array(FLIPS)
  let at = 0
  eachSubset(clusters, seed, (sum, size) => {
    // A flip of all or of none counts for every mean.
    const all = size === 0 || size === questions
    const turned = all ? Infinity : sum / size
    const others = all ? -Infinity : (total - sum) / (questions - size)
    high[at] = all ? Infinity : Math.max(turned, others)
    low[at] = all ? -Infinity : Math.min(turned, others)
    at++
  })
  return { high: high.sort(), low: low.sort() }
}

function intervalAt({ high, low }: Limits, level: number): { low: number; high: number } {
  const rejected = Math.floor(level * (FLIPS + 1)) - 1
  if (rejected < 0) return { low: -Infinity, high: Infinity }
  return { low: low[rejected]!, high: high[FLIPS - 1 - rejected]! }
}

/** Clusters whose sums are looked up together. */
const TOGETHER = 8

/** Draws subsets, each cluster with probability one half, and calls back with the sum and the size of each. */
function eachSubset(
  clusters: readonly Cluster[],
  seed: number,
  drawn: (sum: number, size: number) => void,
): void {
  const tables = Array.from({ length: Math.ceil(clusters.length / TOGETHER) }, (_, at) =>
    subsetsOf(clusters.slice(at * TOGETHER, (at + 1) * TOGETHER)),
  )
  const next = randomBits(seed)
  for (let flip = 0; flip < FLIPS; flip++) {
    let sum = 0
    let size = 0
    let bits = 0
    for (const [at, { sums, sizes }] of tables.entries()) {
      bits = at % 4 === 0 ? next() : bits >>> TOGETHER
      const which = bits & (sums.length - 1)
      sum += sums[which]!
      size += sizes[which]!
    }
    drawn(sum, size)
  }
}

/** The sum and the size of every subset of a few clusters, by the bits of its members. */
function subsetsOf(clusters: readonly Cluster[]): { sums: Float64Array; sizes: Float64Array } {
  const sums = new Float64Array(2 ** clusters.length)
  const sizes = new Float64Array(2 ** clusters.length)
  for (const [at, { sum, size }] of clusters.entries()) {
    const before = 1 << at
    for (let subset = 0; subset < before; subset++) {
      sums[before + subset] = sums[subset]! + sum
      sizes[before + subset] = sizes[subset]! + size
    }
  }
  return { sums, sizes }
}
