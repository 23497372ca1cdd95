/** What the address of the Ask screen holds: a question with its settings, or a conversation. */
export type AskAddress = {
  view?: 'chat' | 'search' | undefined
  q?: string | undefined
  mode?: 'hybrid' | 'vector' | 'keyword' | undefined
  weight?: number | undefined
  topK?: number | undefined
  rerank?: false | undefined
  rescore?: false | undefined
  spelling?: false | undefined
  filter?: Record<string, unknown> | undefined
  chat?: string | undefined
  /** The place of a hit, from 1; with `why`, what its score is made of is open. */
  hit?: number | undefined
  why?: true | undefined
  /** A document or a chunk that the answer should have. */
  expect?: string | undefined
}

const MODES = ['hybrid', 'vector', 'keyword'] as const

/** Reads the query string of the address; what cannot be is left out. */
export function readAskAddress(search: Record<string, unknown>): AskAddress {
  const { view, q, mode, weight, topK, rerank, rescore, spelling, filter, chat, hit, why, expect } = search
  const found = MODES.find((one) => one === mode)
  return {
    ...(view === 'chat' || view === 'search' ? { view } : {}),
    ...(textIn(q) ? { q: textIn(q) } : {}),
    ...(found ? { mode: found } : {}),
    ...(isNumber(weight, 0, 1) ? { weight } : {}),
    ...(isNumber(topK, 1, 1000) ? { topK: Math.round(topK) } : {}),
    ...(rerank === false ? { rerank } : {}),
    ...(rescore === false ? { rescore } : {}),
    ...(spelling === false ? { spelling } : {}),
    ...(typeof filter === 'object' && filter !== null && !Array.isArray(filter)
      ? { filter: filter as Record<string, unknown> }
      : {}),
    ...(textIn(chat) ? { chat: textIn(chat) } : {}),
    ...(isNumber(hit, 1, 1000) ? { hit: Math.round(hit) } : {}),
    // `?why` has an empty value.
    ...(why === true || why === '' ? { why: true as const } : {}),
    ...(textIn(expect) ? { expect: textIn(expect) } : {}),
  }
}

/** A question such as `42` is a number in the address. */
const textIn = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : ''

const isNumber = (value: unknown, min: number, max: number): value is number =>
  typeof value === 'number' && value >= min && value <= max
