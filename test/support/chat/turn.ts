import type { Json, JsonObject } from '../../../src/kit/json.ts'

/** What a scripted model does in one call: it thinks, answers words, calls tools, in this order. */
export type Turn = {
  thinking?: string | string[]
  /** Its answer; a list is sent in these pieces, a text word by word. */
  text?: string | string[]
  /** Input that is text is sent unchanged, so that it may be malformed. */
  calls?: { name: string; input: JsonObject | string; id?: string }[]
  /** Why it stops; without it the reason follows from what it does. */
  reason?: 'stop' | 'length' | 'filtered'
  /** The wait before each piece, in milliseconds. */
  slow?: number
}

/** A call of a turn, with its id and the pieces in which its input is sent. */
export type NumberedCall = { index: number; id: string; name: string; input: Json; pieces: string[] }

export const thoughts = ({ thinking = [] }: Turn): string[] => pieces(thinking)
export const words = ({ text = [] }: Turn): string[] => pieces(text)
export const reasonOf = ({ reason, calls }: Turn) => reason ?? (calls?.length ? 'calls' : 'stop')

const pieces = (said: string | string[]) =>
  typeof said === 'string' ? (said.match(/\s*\S+\s*$|\s*\S+/g) ?? []) : said

/** The calls of a turn; ids count on from one turn to the next, as `turn` does. */
export const callsOf = ({ calls = [] }: Turn, turn: number): NumberedCall[] =>
  calls.map(({ name, input, id }, index) => {
    const text = typeof input === 'string' ? input : JSON.stringify(input)
    return {
      index,
      id: id ?? `call_${turn}_${index}`,
      name,
      input,
      pieces: text.match(/.{1,7}/gs) ?? [''],
    }
  })

/** What a protocol needs to write a turn down. */
export type Speaking = {
  turn: Turn
  /** How many turns there were before. */
  count: number
  model: string
  usage: { input: number; output: number }
}

/** How a provider is spoken to, and answers. */
export type Protocol = {
  name: string
  path: RegExp
  /** What is wrong with a request; undefined where nothing is. */
  fault(body: JsonObject, path: string): string | undefined
  streams(body: JsonObject, path: string): boolean
  /** The answer in one piece. */
  answer(speaking: Speaking): JsonObject
  /** The answer in pieces, in order. */
  chunks(speaking: Speaking): JsonObject[]
  /** How many pieces come before the first word. */
  before: number
  contentType: string
  /** A piece as it travels; undefined ends the stream. */
  frame(chunk: JsonObject | undefined): string
  error(message: string): JsonObject
}
