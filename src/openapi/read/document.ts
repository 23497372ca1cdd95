import { parseDocument } from 'yaml'

/** In characters; the largest descriptions in use have about ten million. */
const LONGEST = 20_000_000
const DEEPEST = 200
/** An alias counts each time it is used. */
const MAX_VALUES = 2_000_000
const MAX_ALIASES = 10_000

/**
 * Parses the text of a description, JSON or YAML 1.2.
 *
 * @throws Error with the reason, for the author of the text
 */
export function parseTree(text: string): unknown {
  if (text.length > LONGEST) throw new Error(`it has more than ${LONGEST} characters`)
  const plain = text.replace(/^\uFEFF/, '')
  const tree = fromJson(plain) ?? fromYaml(plain)
  checkSize(tree)
  return tree
}

function fromJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    // YAML allows commas and comments that JSON does not.
    return undefined
  }
}

function fromYaml(text: string): unknown {
  const given = openYaml(text)
  const document = given.errors.length === 0 ? given : openYaml(joinQuoted(text))
  const error = document.errors.length === 0 ? undefined : given.errors[0]
  if (error) throw new Error(`it is not valid YAML: ${error.message.split('\n', 1)[0]}`)
  return document.toJS({ maxAliasCount: MAX_ALIASES })
}

const openYaml = (text: string) =>
  parseDocument(text, { uniqueKeys: false, merge: true, logLevel: 'silent', stringKeys: true })

/** Puts a quoted text on one line: many parsers, and so many files, accept continuation lines without indentation. */
const joinQuoted = (text: string) =>
  text.replace(/([:-] )"((?:[^"\\]|\\[\s\S])*)"(?=[ \t]*(?:#|$))/gm, (_, before: string, inside: string) => {
    const lines = inside.split('\n').map((line, index) => (index === 0 ? line : line.trimStart()))
    return `${before}"${lines.join(' ')}"`
  })

/** @throws Error if a tree is larger or deeper than any description in use, or contains itself */
function checkSize(tree: unknown): void {
  let values = 0
  const visit = (value: unknown, depth: number) => {
    values += 1
    if (values > MAX_VALUES) throw new Error(`it holds more than ${MAX_VALUES} values`)
    if (depth > DEEPEST) throw new Error(`it is nested deeper than ${DEEPEST} levels`)
    if (typeof value !== 'object' || value === null) return
    for (const inner of Object.values(value)) visit(inner, depth + 1)
  }
  visit(tree, 0)
}
