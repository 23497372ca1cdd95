import { type PartName, shownParts, thousandthsText } from '../../../parts/score-total.ts'
import type { Hit } from '../../../server/ask.ts'

/** A row of the sum: what was measured, the factor that it counts with, and its part of the score as shown. */
export type WhyRow = {
  part: string
  /** Its colour on the bar of a hit. */
  colour: 'vector' | 'keyword' | 'rescored'
  measured: string | undefined
  place: string | undefined
  factor: number | undefined
  /** In thousandths: the shown parts add up to the shown sum. */
  thousandths: number
}

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

/**
 * The parts of the score of a hit, and their sum in thousandths.
 *
 * @param mode the kind of search: of one side, the other side has no row
 */
export function whyRows({ parts, scores, ranks }: Hit, mode?: string): { rows: WhyRow[]; sum: number } {
  if (!parts) return { rows: [], sum: 0 }
  const { of, sum } = shownParts(parts)
  const unused = mode === 'vector' ? 'keyword' : mode === 'keyword' ? 'vector' : undefined
  const rows = [...of]
    .filter(([name]) => name !== unused)
    .map(([name, thousandths]): WhyRow => {
      const isSide = name === 'vector' || name === 'keyword'
      const measured = isSide ? scores[name] : null
      const rank = isSide ? ranks?.[name] : undefined
      return {
        part: NAMES[name],
        colour: isSide ? name : 'rescored',
        measured: measured === null ? undefined : measured.toFixed(name === 'vector' ? 3 : 2),
        place: typeof rank === 'number' ? `place ${rank}` : isSide ? 'not found' : undefined,
        factor: measured ? parts[name]! / measured : undefined,
        thousandths,
      }
    })
  return { rows, sum }
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
  const best = parts ? [...shownParts(parts).of].toSorted(([, one], [, other]) => other - one)[0] : undefined
  if (best && best[0] !== 'vector' && best[0] !== 'keyword')
    facts.push(`gains most by ${IN_SENTENCE[best[0]]}`)
  if (ranks?.rescored !== undefined && ranks.rescored !== ranks.combined)
    facts.push(`came from place ${ranks.combined} to ${ranks.rescored} by rescoring`)
  if (ranks?.reranked !== undefined) facts.push(`is at place ${ranks.reranked} by the reranker`)
  if (mmr?.closest != null)
    facts.push(`has the likeness ${mmr.likeness.toFixed(2)} to the closest hit before it`)
  return facts.length === 0 ? '' : `It ${joined(facts)}.`
}

/** What separates the ranked scores of two hits, as they are shown, the largest part first. */
export function againstHit(hit: Hit, other: Hit): string {
  if (!hit.parts || !other.parts) return ''
  const [mine, theirs] = [shownParts(hit.parts), shownParts(other.parts)]
  const shares = [...new Set([...mine.of.keys(), ...theirs.of.keys()])]
    .map((name) => ({ name, by: (mine.of.get(name) ?? 0) - (theirs.of.get(name) ?? 0) }))
    .filter(({ by }) => by !== 0)
    .sort((one, two) => Math.abs(two.by) - Math.abs(one.by))
  const all = signed(mine.sum - theirs.sum)
  if (shares.length === 0) return `${all}: both have the same parts.`
  return `${all}: ${shares.map(({ name, by }) => `${IN_SENTENCE[name]} ${signed(by)}`).join(', ')}.`
}

/** A difference in thousandths with its sign. */
const signed = (thousandths: number): string =>
  `${thousandths < 0 ? '−' : '+'}${thousandthsText(Math.abs(thousandths))}`

const joined = (facts: readonly string[]): string =>
  facts.length < 2 ? facts.join('') : `${facts.slice(0, -1).join(', ')} and ${facts.at(-1)}`
