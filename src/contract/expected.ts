import type { FoundDocument } from './document.ts'

/** What a query is expected to find: a chunk of the source with a name, or the chunk with an id. */
export type Expected = { source: string } | { chunk: string }

/** Which stored chunks are looked up. */
export type NamedRequest = {
  expected: Expected
  /** The conversation of the query. */
  chatId?: string | undefined
  /** The fence of the caller: what was loaded within it is looked at first. */
  fence?: string | undefined
  /** Whether chunks of other conversations are told too; without it they are as if they were not stored. */
  otherConversations?: boolean | undefined
  /** Whether the chunks bring their vectors. */
  vectors?: boolean | undefined
}

/** A chunk that readers see, with its text as it is searched. */
export type NamedChunk = FoundDocument & { id: string; vector?: Float32Array }

/** What is stored under a name, all of one moment. */
export type NamedChunks = {
  /** Of the index: two equal states have the same chunks. */
  state: string
  /** The ids of all these chunks, or of the first {@link MOST_NAMED_IDS}. */
  ids: string[]
  /** The first {@link MOST_NAMED} of them. */
  chunks: NamedChunk[]
}

/** Of how many chunks of a source the texts are read, and of how many the ids. */
export const MOST_NAMED = 200
export const MOST_NAMED_IDS = 5000

/** The steps of an answer that can leave a chunk out, in their order. */
export const EXPECTED_STEPS = [
  'notStored',
  'untold',
  'conversation',
  'filter',
  'threshold',
  'noSide',
  'pool',
  'rescoring',
  'nearDuplicate',
  'reranker',
  'mmr',
  'topK',
] as const

export type ExpectedStep = (typeof EXPECTED_STEPS)[number]

/** What a number is. `gain`: what MMR compares. The places are those after a step, from 1. */
export const MEASURES = [
  'vector',
  'keyword',
  'score',
  'likeness',
  'rerank',
  'gain',
  'combinedPlace',
  'rescoredPlace',
  'rerankedPlace',
  'place',
] as const

export type Measure = (typeof MEASURES)[number]

/** Which steps read only the first so many of a ranking. */
export const LIMITED_STEPS = ['rescoring', 'reranker', 'mmr'] as const

export type LimitedStep = (typeof LIMITED_STEPS)[number]

/** The settings of a request of which one may be changed to show a chunk. `lambda` and `fetchK` are those of MMR. */
export const CHANGED_SETTINGS = [
  'topK',
  'minScore',
  'filter',
  'nearDuplicates',
  'lambda',
  'fetchK',
  'mmr',
  'rerank',
  'rescore',
  'mode',
] as const

export type ChangedSetting = (typeof CHANGED_SETTINGS)[number]
