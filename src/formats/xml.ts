import { SaxesParser } from 'saxes'
import { SluiceError } from '../kit/errors.ts'
import type { FileLimits } from './limits.ts'

/** The attributes of one element by their full names (`w:val`). */
export type XmlAttributes = Readonly<Record<string, string>>

/** Returned by `open` to skip the element and its content. */
export const SKIP = Symbol('skip')

/** What to do at the elements of one name. */
export type ElementRule = {
  open?: (attributes: XmlAttributes) => unknown
  /** Text directly inside the element, not in its children; may be called several times. */
  text?: (text: string) => void
  close?: () => void
}

/** Rules by local name: the prefix of a namespace differs between files. */
export type ElementRules = Readonly<Record<string, ElementRule>>

/** The rule for an element that is skipped. */
export const SKIP_ELEMENT: ElementRule = { open: () => SKIP }

/** The value of an attribute by its local name. Only Word uses prefixed attributes; others can be read directly. */
export function attribute(attributes: XmlAttributes, name: string): string | undefined {
  return attributes[name] ?? prefixedAttribute(attributes, name)
}

/** The value of the attribute with this local name and any prefix: `r:id`, if the element also has a plain `id`. */
export function prefixedAttribute(attributes: XmlAttributes, name: string): string | undefined {
  for (const key in attributes) {
    if (key.endsWith(name) && key[key.length - name.length - 1] === ':') return attributes[key]
  }
  return undefined
}

/**
 * Reads one XML part in steps of 64 kB; between two steps the caller can yield what its rules have collected. Errors
 * are tolerated and counted, up to a limit; an entity other than the five of XML is an error and stays in the text.
 * Elements that are left open are closed at the end.
 *
 * @param place the file and the part in it, for messages
 * @returns the number of errors
 * @throws SluiceError `file_unreadable`, `file_over_limit`
 */
export function* readXmlInSteps(
  bytes: Uint8Array,
  rules: ElementRules,
  limits: FileLimits,
  place: { file: string; part: string },
): Generator<undefined, number> {
  const refuse = (code: 'file_unreadable' | 'file_over_limit', what: string) =>
    new SluiceError(code, { file: place.file, reason: `${place.part} inside it ${what}` })
  const ruleOf = new Map(Object.entries({ ...alternatives(), ...rules }))
  const open: ElementRule[] = []
  let skipped = 0
  let errorCount = 0
  let sinceLastEvent = 0

  const parser = new SaxesParser({ position: false, xmlns: false })
  parser.on('opentag', ({ name, attributes }) => {
    sinceLastEvent = 0
    if (open.length + skipped === limits.xmlDepth) throw refuse('file_over_limit', 'is nested too deeply')
    const rule = skipped === 0 ? (ruleOf.get(localName(name)) ?? NO_RULE) : NO_RULE
    if (skipped > 0 || rule.open?.(attributes) === SKIP) skipped++
    else open.push(rule)
  })
  parser.on('closetag', () => {
    sinceLastEvent = 0
    if (skipped > 0) skipped--
    else open.pop()?.close?.()
  })
  const readText = (text: string) => {
    sinceLastEvent = 0
    if (skipped === 0) open.at(-1)?.text?.(text)
  }
  parser.on('text', readText)
  parser.on('cdata', readText)
  parser.on('error', () => {
    if (++errorCount > limits.xmlErrors) throw refuse('file_unreadable', 'is not well-formed XML')
  })

  const decoder = new TextDecoder(encodingOf(bytes))
  for (let position = 0; position < bytes.length; position += STEP_BYTES) {
    const piece = decoder.decode(bytes.subarray(position, position + STEP_BYTES), { stream: true })
    sinceLastEvent += piece.length
    if (sinceLastEvent > limits.textLength) throw refuse('file_over_limit', 'holds too long a text')
    parser.write(piece)
    yield
  }
  parser.write(decoder.decode()).close()
  while (open.length > 0) open.pop()?.close?.()
  return errorCount
}

const STEP_BYTES = 2 ** 16

const NO_RULE: ElementRule = {}

/** Of the branches of an `AlternateContent` (ECMA-376 part 3), which have the same content, the first is read. */
function alternatives(): ElementRules {
  const taken: boolean[] = []
  const branch: ElementRule = {
    open() {
      if (taken.at(-1)) return SKIP
      if (taken.length > 0) taken[taken.length - 1] = true
      return undefined
    },
  }
  return {
    AlternateContent: { open: () => taken.push(false), close: () => taken.pop() },
    Choice: branch,
    Fallback: branch,
  }
}

/** XML 1.0, appendix F: the encoding by the byte order mark, the bytes of the first `<`, then the declaration. */
function encodingOf(bytes: Uint8Array): string {
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le'
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be'
  const begin = new TextDecoder('latin1').decode(bytes.subarray(0, 200))
  const declared = /^[^>]*?\sencoding=["']([\w.-]+)["']/.exec(begin)?.[1]?.toLowerCase() ?? 'utf-8'
  return SINGLE_BYTE.test(declared) ? declared : 'utf-8'
}

/** Other encodings of real files. A file that declares any other encoding is read as UTF-8. */
const SINGLE_BYTE = /^(iso-8859-([1-8]|1[03456])|windows-125[0-8]|us-ascii|koi8-r)$/

function localName(name: string): string {
  const colon = name.indexOf(':')
  return colon < 0 ? name : name.slice(colon + 1)
}
