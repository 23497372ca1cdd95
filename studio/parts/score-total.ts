import type { Hit } from '../server/ask.ts'

export type ScoreParts = NonNullable<Hit['parts']>
export type PartName = keyof ScoreParts

/** All parts of a score, in the order in which they are shown. */
const PART_NAMES = [
  ...(['vector', 'keyword', 'sentence', 'coverage'] as const),
  ...(['phrase', 'head', 'length', 'offset'] as const),
] satisfies PartName[]

/** The score that a hit was ranked by, before a reranker. */
export const totalOf = (parts: ScoreParts): number =>
  Object.values(parts).reduce((sum: number, part) => sum + (part ?? 0), 0)

/** The parts of a score in thousandths, as every place shows them: they add up to the shown score. */
export function shownParts(parts: ScoreParts): { of: ReadonlyMap<PartName, number>; sum: number } {
  const names = PART_NAMES.filter((name) => parts[name] !== undefined)
  const shown = thousandthsOf(names.map((name) => parts[name]!))
  return {
    of: new Map(names.map((name, at) => [name, shown[at]!])),
    sum: shown.reduce((sum, one) => sum + one, 0),
  }
}

/** Numbers as thousandths whose sum is that of the numbers, rounded: the largest remainders are rounded up. */
export function thousandthsOf(numbers: readonly number[]): number[] {
  const floors = numbers.map((number) => Math.floor(number * 1000))
  const sum = Math.round(numbers.reduce((all, number) => all + number, 0) * 1000)
  const left = sum - floors.reduce((all, number) => all + number, 0)
  const up = numbers
    .map((number, at) => ({ at, rest: number * 1000 - floors[at]! }))
    .sort((one, other) => other.rest - one.rest)
    .slice(0, left)
  for (const { at } of up) floors[at]!++
  return floors
}

/** `0.127` of 127, `−0.015` of -15. */
export const thousandthsText = (thousandths: number): string =>
  `${thousandths < 0 ? '−' : ''}${(Math.abs(thousandths) / 1000).toFixed(3)}`
