import type { Audience } from './ledger-points.ts'
import type { FoundDocument } from './document.ts'
import type { Metric } from './retrieval.ts'

/** A search in the chunks of one namespace. */
export type SearchRequest = Audience & {
  /** Searched by vector; absent for keywords alone. */
  vector?: Float32Array
  /** The id of the embedder that made the vector; another one than the index was built with is refused. */
  embedder?: string
  /** Searched by keyword; absent for vectors alone. */
  text?: string
  /** Earlier questions of a conversation: their terms are searched with these weights beside those of `text`. */
  earlier?: readonly WeighedText[]
  /** The first metric of the engine unless given. */
  metric?: Metric
  /** How many candidates each side gives. */
  limit: number
  /** Whether candidates bring their vectors. */
  vectors?: boolean
  /** Whether words of `text` that no chunk has are read as the words of the chunks that differ by one typing error. */
  spelling?: boolean
  /** How many of the first ranked candidates bring the head of their source, with the term weights of the question. */
  withHeads?: number
}

/** A text whose terms count with a weight from 0 to 1. */
export type WeighedText = { text: string; weight: number }

/** The scores that the two sides of a search give a text; null where a side did not find it. */
export type SideScores = {
  /** Computed from the stored vectors: the cosine; with another metric the dot product, or 1 / (1 + distance). */
  vectorScore: number | null
  /** BM25: above zero, larger is better, of no fixed scale. */
  keywordScore: number | null
  /** The part of the largest BM25 that the question can reach in this index, 0 to 1; null where another server searched. */
  matched: number | null
}

/** A word of a question that no chunk has, and the words of the chunks that were searched beside it, likely ones first. */
export type SpellingReading = { word: string; readAs: string[] }

/** A chunk that one side or both found. `head` is the beginning of its source's text. */
export type Candidate = FoundDocument & SideScores & { id: string; vector?: Float32Array; head?: string }

/** The place of a candidate among what each side gave, from 1; null where a side did not give it. */
export type SideRanks = { vector: number | null; keyword: number | null }

/** A candidate with the score that it is ordered by: larger is better. `ranks`: where the ranking is to be explained. */
export type Ranked<Item> = { candidate: Item; score: number; ranks?: SideRanks }

/** A term that is searched: the most that it adds to a BM25, and how many passages have it. */
export type SearchedTerm = { term: number; weight: number; holders: number }

/** What BM25 scores a passage of an index with, for one question. The terms are in the order in which their scores are added. */
export type TermFacts = { passages: number; averageLength: number; terms: SearchedTerm[] }

/** Candidates in the order of a ranking, best first. */
export type RankedCandidates = {
  ranked: Ranked<Candidate>[]
  /** The scores of all that was found, also of what the ranking left out. */
  found: readonly SideScores[]
  /** With `spelling`: the words that were read in another spelling too; absent for none. */
  readings?: SpellingReading[]
  /** With `withHeads`: the weight of each term of the question, as asked × its rarity in the index. */
  termWeights?: ReadonlyMap<number, number>
  /** Where the ranking is to be explained, and words were searched here. */
  termFacts?: TermFacts
}
