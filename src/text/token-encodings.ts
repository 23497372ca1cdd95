import { createRequire } from 'node:module'
import { setImmediate } from 'node:timers/promises'

/** The byte pair encodings of OpenAI's models that the token splitter can count with. */
export const TOKEN_ENCODINGS = ['gpt2', 'r50k_base', 'p50k_base', 'p50k_edit', 'cl100k_base'] as const
export type TokenEncodingName = (typeof TOKEN_ENCODINGS)[number]

export type TokenEncoding = {
  /** Matches the parts of a text that are encoded separately, one after another without gaps. */
  pattern: RegExp
  /** The rank of each token, whose bytes are one code unit each; the pair with the lower rank is joined first. */
  ranks: ReadonlyMap<string, number>
  /** Bytes of the longest token. */
  longest: number
}

/** As js-tiktoken ships them: lines of "! FIRST_RANK TOKEN TOKEN…", tokens in base64, ranks counted upward. */
type RanksModule = { pat_str: string; bpe_ranks: string }

const require = createRequire(import.meta.url)
const loaded = new Map<TokenEncodingName, TokenEncoding>()

/** Tokens that are read before other work can run: about 2 ms. */
const TOKENS_A_TURN = 4096

/** An encoding, read from its package at the first call (about 0.1 s) and kept. */
export function tokenEncoding(name: TokenEncodingName): TokenEncoding {
  const known = loaded.get(name)
  if (known) return known
  const reading = readTokenEncoding(name)
  for (;;) {
    const { done, value } = reading.next()
    if (done) return value
  }
}

/** Reads an encoding as {@link tokenEncoding} does, but a few milliseconds at a time. */
export async function loadTokenEncoding(name: TokenEncodingName): Promise<void> {
  if (loaded.has(name)) return
  const reading = readTokenEncoding(name)
  while (!reading.next().done) await setImmediate()
}

/** Reads an encoding and keeps it; yields after every few thousand tokens, for other work. */
export function* readTokenEncoding(name: TokenEncodingName): Generator<undefined, TokenEncoding> {
  const { pat_str, bpe_ranks } = require(`js-tiktoken/ranks/${name}`) as RanksModule
  const ranks = new Map<string, number>()
  let longest = 0
  for (const line of bpe_ranks.split('\n')) {
    const [, first, ...tokens] = line.split(' ')
    let rank = Number(first)
    for (const token of tokens) {
      const bytes = atob(token)
      ranks.set(bytes, rank++)
      longest = Math.max(longest, bytes.length)
      if (ranks.size % TOKENS_A_TURN === 0) yield
    }
  }
  const read = { pattern: new RegExp(pat_str, 'gu'), ranks, longest }
  loaded.set(name, read)
  return read
}
