import type { Judgement } from '../../../server/questions.ts'

/** What a judgement is made of: the text of a chunk, and its document. */
export type PickedChunk = {
  pageContent: string
  metadata: { source?: unknown }
}

/** The most characters of a passage that are kept. */
const MOST = 4000

/** The judgement of a chunk; undefined for one without a source or a text. */
export function judgementOf({ pageContent, metadata }: PickedChunk, grade: number): Judgement | undefined {
  const { source } = metadata
  if (typeof source !== 'string' || source === '' || pageContent.trim() === '') return undefined
  return { source, passage: { quote: pageContent.slice(0, MOST) }, grade }
}

/** Whether two judgements are about the same passage. */
export const sameJudgement = (one: Judgement, other: Judgement): boolean =>
  one.source === other.source && keyOf(one.passage?.quote) === keyOf(other.passage?.quote)

const keyOf = (text: string | undefined) => text?.normalize('NFC').trim().replace(/\s+/gu, ' ').toLowerCase()
