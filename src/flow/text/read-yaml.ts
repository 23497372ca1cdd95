import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type Scalar,
} from 'yaml'
import type { Json } from '../../kit/json.ts'
import { Hidden, setMember, type TextObject, type TextValue } from './hidden.ts'

/** The most characters of a text, and of what is not in blocks of text: the parser takes a microsecond or two for each of those. */
export const LONGEST_TEXT = 2_000_000
export const LONGEST_STRUCTURE = 400_000
/** How deep values may be within each other. */
const DEEPEST = 100
/** More mistakes than this help nobody. */
export const MOST_MISTAKES = 100

/** Where something is in a text; lines and columns from 1, `endLine` included. */
export type TextExtent = { line: number; column: number; endLine: number }

/** A mistake in a text. */
export type Mistake = TextExtent & { message: string }

/** An entry of a map of YAML. */
export type Entry = { key: string; keySpan: TextExtent; value: Node | null; span: TextExtent }

/** A YAML text that is read piece by piece; mistakes are collected. */
export type YamlText = {
  mistakes: Mistake[]
  contents: Node | null
  spanOf(node: Node | null | undefined): TextExtent
  say(at: TextExtent, message: string): void
  /** The entries of a map, in their order; each key once. `what` is said where it is no map. */
  entries(node: Node | null, what: string): Entry[] | undefined
  /** A value as JSON; undefined where a mistake was said. */
  value(node: Node | null, name: string, onString?: StringReader): TextValue | undefined
}

/** Reads a string that is not marked as literal; undefined where a mistake was said. */
export type StringReader = (text: string, span: TextExtent) => string | undefined

/** Parses a text. A text that cannot be parsed has no contents. */
export function readYaml(text: string): YamlText {
  const counter = new LineCounter()
  const mistakes: Mistake[] = []
  const say = ({ line, column, endLine }: TextExtent, message: string) => {
    if (mistakes.length < MOST_MISTAKES) mistakes.push({ line, column, endLine, message })
  }
  const place = (offset: number) => {
    const { line, col } = counter.linePos(Math.min(offset, text.length))
    return { line: Math.max(1, line), column: Math.max(1, col) }
  }
  const START: TextExtent = { line: 1, column: 1, endLine: 1 }

  function spanOf(node: Node | null | undefined): TextExtent {
    const range = node?.range
    if (!range) return START
    const start = place(range[0])
    return { ...start, endLine: Math.max(start.line, place(Math.max(range[0], range[1] - 1)).line) }
  }

  const contents = parsed()
  return { mistakes, contents, spanOf, say, entries, value }

  function parsed(): Node | null {
    if (text.length > LONGEST_TEXT) {
      const limit = LONGEST_TEXT.toLocaleString('en')
      say(START, `The text has ${text.length.toLocaleString('en')} characters; the most are ${limit}`)
      return null
    }
    const structure = structureLength(text)
    if (structure > LONGEST_STRUCTURE) {
      const limit = LONGEST_STRUCTURE.toLocaleString('en')
      say(
        START,
        `The text has ${structure.toLocaleString('en')} characters outside of blocks of text; the most are ${limit}`,
      )
      return null
    }
    try {
      const document = parseDocument(text, {
        lineCounter: counter,
        logLevel: 'silent',
        // The check of the package compares each key with each other.
        uniqueKeys: false,
        stringKeys: true,
        merge: false,
        prettyErrors: false,
      })
      for (const { message, pos } of document.errors)
        say({ ...place(pos[0]), endLine: place(pos[0]).line }, sentenceOf(message))
      return document.errors.length > 0 ? null : document.contents
    } catch (error) {
      // The parser calls itself for what is within something else.
      if (!(error instanceof RangeError)) throw error
      say(START, TOO_DEEP)
      return null
    }
  }

  function entries(node: Node | null, what: string): Entry[] | undefined {
    if (isAlias(node)) return void say(spanOf(node), NO_ALIAS)
    if (!isMap(node) || node.tag?.startsWith('!'))
      return void say(spanOf(node), `${what} are written as "name: value", one a line`)
    const seen = new Map<string, number>()
    return (node.items as Pair<Node, Node | null>[]).flatMap((pair): Entry[] => {
      const keySpan = spanOf(pair.key)
      if (!isScalar(pair.key)) {
        say(keySpan, isAlias(pair.key) ? NO_ALIAS : 'A name is a single word')
        return []
      }
      const key = String(pair.key.value ?? '')
      const first = seen.get(key)
      if (first !== undefined) {
        say(keySpan, `${key} is there twice: it is in line ${first}, too`)
        return []
      }
      seen.set(key, keySpan.line)
      const value = pair.value ?? null
      const end = value ? spanOf(value).endLine : keySpan.endLine
      return [{ key, keySpan, value, span: { ...keySpan, endLine: Math.max(keySpan.endLine, end) } }]
    })
  }

  function value(node: Node | null, name: string, onString?: StringReader, depth = 0): TextValue | undefined {
    const span = spanOf(node)
    if (node === null) return null
    if (depth > DEEPEST) return void say(span, `${name} has values within values more than ${DEEPEST} deep`)
    if (isAlias(node)) return void say(span, NO_ALIAS)
    const { tag } = node as { tag?: string }
    if (tag === '!secret' || tag === '!stored') {
      const shown = plain(node, name, depth)
      return shown === undefined
        ? undefined
        : new Hidden(tag === '!secret' ? 'secret' : 'stored', (shown ?? '') as Json)
    }
    if (tag?.startsWith('!') && tag !== '!text')
      return void say(span, `${name}: ${tag} is no mark of a flow; there are !secret, !stored and !text`)
    return plain(node, name, depth, tag === '!text' ? undefined : onString)
  }

  function plain(node: Node, name: string, depth: number, onString?: StringReader): TextValue | undefined {
    if (isSeq(node)) {
      const read = (node.items as (Node | null)[]).map((one) => value(one, name, onString, depth + 1))
      const list = read.filter((one) => one !== undefined)
      return list.length < read.length ? undefined : list
    }
    if (isMap(node)) return mapValue(node, name, depth, onString)
    return scalarValue(node as Scalar, name, onString)
  }

  function mapValue(node: Node, name: string, depth: number, onString?: StringReader): TextValue | undefined {
    const given = isMap(node) ? entriesOf(node, name) : undefined
    if (!given) return undefined
    const object: TextObject = {}
    let whole = true
    for (const { key, value: inner } of given) {
      const read = value(inner, `${name}.${key}`, onString, depth + 1)
      if (read === undefined) whole = false
      else setMember(object, key, read)
    }
    return whole ? object : undefined
  }

  /** The entries of a map, also of one with a mark. */
  function entriesOf(node: Node, name: string): Entry[] | undefined {
    const { tag } = node as { tag?: string }
    ;(node as { tag?: string | undefined }).tag = undefined
    const found = entries(node, name)
    ;(node as { tag?: string | undefined }).tag = tag
    return found
  }

  function scalarValue(node: Scalar, name: string, onString?: StringReader): TextValue | undefined {
    const { value: given } = node
    if (typeof given === 'string') return onString ? onString(given, spanOf(node)) : given
    if (typeof given === 'number' && !Number.isFinite(given))
      return void say(spanOf(node), `${name} is a number that is too large, or none`)
    if (given === undefined) return null
    if (given === null || typeof given === 'number' || typeof given === 'boolean') return given
    return void say(spanOf(node), `${name} is neither a text nor a number`)
  }
}

const NO_ALIAS = 'Aliases (*name) are not read here: write the value itself'

const TOO_DEEP = 'The text has values within values deeper than can be read'

/** What a person can do about the commonest messages of the parser. */
const IN_PLAIN_WORDS: readonly (readonly [RegExp, string])[] = [
  [/call stack/, TOO_DEEP],
  [/Implicit map keys? need/, 'Behind a name there is ": " and its value'],
  [/Nested mappings are not allowed/, 'A text with ": " in it is written in quotes'],
  [
    /All mapping items must start at the same column|All sequence items must start/,
    'The line begins in another column than those above it',
  ],
  [/Tabs are not allowed/, 'Lines are indented by spaces, not by tabs'],
  [/Missing closing/, 'The quotes are not closed'],
]

const sentenceOf = (message: string): string =>
  IN_PLAIN_WORDS.find(([pattern]) => pattern.test(message))?.[1] ??
  `This is not valid YAML: ${message.split('\n', 1)[0]!.replace(/:$/, '')}`

/** How many characters of a text are outside of its blocks (`|` or `>` at the end of a line). */
function structureLength(text: string): number {
  let length = 0
  let block = -1
  for (let start = 0; start < text.length; ) {
    const next = text.indexOf('\n', start)
    const end = next < 0 ? text.length : next
    let indent = start
    while (indent < end && text[indent] === ' ') indent++
    if (block >= 0 && indent < end && indent - start <= block) block = -1
    if (block < 0) {
      length += end - start + 1
      if (/[|>][-+0-9]{0,2} *$/.test(text.slice(Math.max(start, end - 8), end))) block = indent - start
    }
    start = end + 1
  }
  return length
}
