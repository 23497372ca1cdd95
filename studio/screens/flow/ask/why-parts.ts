import type { Hit } from '../../../server/ask.ts'

/** A row of the sum: what was measured, the factor that it counts with, and its part of the score as shown. */
export type WhyRow = {
  part: string
  measured: string | undefined
  place: string | undefined
  factor: number | undefined
  /** In thousandths: the shown parts add up to the shown sum. */
  thousandths: number
}

type Parts = NonNullable<Hit['parts']>
type PartName = keyof Parts

const NAMES: Readonly<Record<PartName, string>> = {
  vector: 'Meaning',
  keyword: 'Words',
  sentence: 'Best sentence',
  coverage: 'Words covered',
  phrase: 'Phrase, nearness',
  head: 'Beginning of the source',
  length: 'Length',
  offset: 'Not rescored',
}

/** Names as they are in the middle of a sentence. */
const IN_SENTENCE: Readonly<Record<PartName, string>> = {
  vector: 'meaning',
  keyword: 'words',
  sentence: 'its best sentence',
  coverage: 'the words it covers',
  phrase: 'words in the order of the question, or near each other',
  head: 'the beginning of its source',
  length: 'its length',
  offset: 'rescoring, which did not come to it',
}

const partsOf = (parts: Parts): [PartName, number][] =>
  (Object.keys(NAMES) as PartName[]).flatMap((name) => {
    const part = parts[name]
    return part === undefined ? [] : [[name, part]]
  })

/** The parts of the score of a hit, and their sum in thousandths. */
export function whyRows({ parts, scores, ranks }: Hit): { rows: WhyRow[]; sum: number } {
  if (!parts) return { rows: [], sum: 0 }
  const named = partsOf(parts)
  const shown = thousandthsOf(named.map(([, part]) => part))
  const rows = named.map(([name, part], at): WhyRow => {
    const isSide = name === 'vector' || name === 'keyword'
    const measured = isSide ? scores[name] : null
    const rank = isSide ? ranks?.[name] : undefined
    return {
      part: NAMES[name],
      measured: measured === null ? undefined : measured.toFixed(name === 'vector' ? 3 : 2),
      place: typeof rank === 'number' ? `place ${rank}` : isSide ? 'not found' : undefined,
      factor: measured ? part / measured : undefined,
      thousandths: shown[at]!,
    }
  })
  return { rows, sum: shown.reduce((sum, one) => sum + one, 0) }
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

/** Why a hit stands where it does, made of facts. */
export function whySentence(hit: Hit, words: readonly { word: string; holders: number | null }[]): string {
  const { terms, ranks, scores, mmr, parts } = hit
  const asked = words.filter(({ holders }) => holders !== null)
  const facts: string[] = []
  if (terms && asked.length > 0) {
    const here = new Set(terms.map(({ word }) => word?.toLowerCase()))
    const held = asked.filter(({ word }) => here.has(word.toLowerCase()))
    const rarest = terms.toSorted((one, other) => one.holders - other.holders)[0]
    facts.push(
      held.length === 0
        ? terms.length === 0
          ? 'has no word of the question'
          : 'has parts of the words of the question'
        : `has ${held.length === asked.length ? (asked.length === 1 ? 'the word' : `all ${asked.length} words`) : `${held.length} of ${asked.length} words`} of the question${rarest?.word ? `, the rarest “${rarest.word}” in ${rarest.holders} of ${rarest.texts} texts` : ''}`,
    )
  }
  if (scores.vector !== null && typeof ranks?.vector === 'number')
    facts.push(`is at place ${ranks.vector} by meaning`)
  const best = parts ? partsOf(parts).toSorted(([, one], [, other]) => other - one)[0] : undefined
  if (best && best[0] !== 'vector' && best[0] !== 'keyword')
    facts.push(`gains most by ${IN_SENTENCE[best[0]]}`)
  if (ranks?.rescored !== undefined && ranks.rescored !== ranks.combined)
    facts.push(`came from place ${ranks.combined} to ${ranks.rescored} by rescoring`)
  if (ranks?.reranked !== undefined) facts.push(`is at place ${ranks.reranked} by the reranker`)
  if (mmr?.closest != null)
    facts.push(`has the likeness ${mmr.likeness.toFixed(2)} to the closest hit before it`)
  return facts.length === 0 ? '' : `It ${joined(facts)}.`
}

/** What separates the ranked scores of two hits, the largest part first. */
export function againstHit(hit: Hit, other: Hit): string {
  if (!hit.parts || !other.parts || hit.rankedScore === undefined || other.rankedScore === undefined)
    return ''
  const names = [...new Set([...partsOf(hit.parts), ...partsOf(other.parts)].map(([name]) => name))]
  const shares = names
    .map((name) => ({ name, by: (hit.parts?.[name] ?? 0) - (other.parts?.[name] ?? 0) }))
    .filter(({ by }) => Math.abs(by) >= 0.0005)
    .sort((one, two) => Math.abs(two.by) - Math.abs(one.by))
  const all = signed(hit.rankedScore - other.rankedScore)
  if (shares.length === 0) return `${all}: both have the same parts.`
  return `${all}: ${shares.map(({ name, by }) => `${IN_SENTENCE[name]} ${signed(by)}`).join(', ')}.`
}

export const signed = (number: number): string => `${number < 0 ? '−' : '+'}${Math.abs(number).toFixed(3)}`

const joined = (facts: readonly string[]): string =>
  facts.length < 2 ? facts.join('') : `${facts.slice(0, -1).join(', ')} and ${facts.at(-1)}`
