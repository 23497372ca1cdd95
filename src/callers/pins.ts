import type { Pins } from '../contract/fence.ts'
import { CHAT_ID_KEY } from '../documents/conversation.ts'
import { SluiceError } from '../kit/errors.ts'
import type { JsonObject } from '../kit/json.ts'

/** The most pins of a key, and the most characters of a value. */
const MOST_PINS = 8
const LONGEST_VALUE = 200

/** A metadata key without dots: in a filter, dots lead into objects. */
const NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/

/** Metadata keys that the server sets, and names of properties that every object has. */
const RESERVED: ReadonlySet<string> = new Set([
  CHAT_ID_KEY,
  'source',
  'loc',
  '__proto__',
  'constructor',
  'prototype',
])

/**
 * Checks the pins of a new key.
 *
 * @throws SluiceError `pins_invalid`
 */
export function checkPins(pins: JsonObject): Pins {
  const entries = Object.entries(pins)
  const refuse = (reason: string) => new SluiceError('pins_invalid', { reason })
  if (entries.length > MOST_PINS) throw refuse(`a key has at most ${MOST_PINS}`)
  const checked: [string, string][] = []
  for (const [name, value] of entries) {
    if (!NAME.test(name))
      throw refuse(
        `${JSON.stringify(name.slice(0, 80))} is no name: it begins with a letter and has at most 64 letters, digits, _ and -`,
      )
    if (RESERVED.has(name)) throw refuse(`the server sets the metadata key ${name} itself`)
    if (typeof value !== 'string') throw refuse(`the value of ${name} is no text`)
    if (value === '' || value !== value.trim())
      throw refuse(`the value of ${name} is empty, or has spaces around it`)
    if (value.length > LONGEST_VALUE)
      throw refuse(`the value of ${name} has more than ${LONGEST_VALUE} characters`)
    if (/\p{Cc}/u.test(value) || !value.isWellFormed())
      throw refuse(`the value of ${name} has control characters or half a character`)
    checked.push([name, value])
  }
  return Object.fromEntries(checked)
}

/**
 * Pins as they are written on a command line and in an address: `tenant=acme`.
 *
 * @throws SluiceError `pins_invalid`
 */
export function readPins(texts: readonly string[]): Pins {
  const pins = new Map<string, string>()
  for (const text of texts) {
    const at = text.indexOf('=')
    const name = text.slice(0, Math.max(at, 0)).trim()
    if (name === '')
      throw new SluiceError('pins_invalid', {
        reason: `${JSON.stringify(text.slice(0, 80))} has no form name=value`,
      })
    if (pins.has(name)) throw new SluiceError('pins_invalid', { reason: `${name} is given twice` })
    pins.set(name, text.slice(at + 1).trim())
  }
  return checkPins(Object.fromEntries(pins))
}

/** Checks that a key with pins is no key of managers, who see everything. @throws SluiceError `pins_invalid` */
export function requireNarrow({ pins, scopes }: { pins: Pins; scopes: readonly string[] }): void {
  if (Object.keys(pins).length > 0 && scopes.includes('manage'))
    throw new SluiceError('pins_invalid', { reason: 'a key with the scope manage sees the documents of all' })
}
