import type { CredentialKindAnswer } from '../api/credential.ts'
import { isObject, parseJson } from '../kit/json.ts'
import { didYouMean, suggest } from '../kit/suggest.ts'
import { Failure } from './failure.ts'

/**
 * Reads the fields of a credential from a text: a JSON object, `FIELD=value` lines, or only the value for a kind with one
 * field. No message repeats a value, which may be secret.
 *
 * @throws Failure for an unknown field and for a missing one
 */
export function readCredentialFields(text: string, kind: CredentialKindAnswer): Record<string, string> {
  const names = kind.inputs.map(({ name }) => name)
  const given = readFields(text, { names, of: `of the kind ${kind.name}`, from: 'Standard input' })
  return checkFields(given, kind)
}

/**
 * The same for some fields, of which each may be missing.
 *
 * @param of what the credential is, and `from` where the text comes from, for messages
 * @throws Failure for an unknown field
 */
export function readFields(
  text: string,
  { names, of, from }: { names: readonly string[]; of: string; from: string },
): Record<string, string> {
  const given = fromJson(text, from) ?? fromLines(text, names, from)
  const unknown = Object.keys(given).find((name) => !names.includes(name))
  if (unknown === undefined) return given
  throw new Failure(
    `A credential ${of} has no field ${unknown}`,
    didYouMean(unknown, names, `its fields are ${names.join(', ')}`),
  )
}

/** Leaves out empty fields. @throws Failure for a missing field, and where no field is left */
export function checkFields(
  given: Record<string, string>,
  kind: CredentialKindAnswer,
): Record<string, string> {
  const fields = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''))
  const missing = kind.inputs.find(({ name, optional }) => !optional && fields[name] === undefined)
  if (missing || Object.keys(fields).length === 0)
    throw new Failure(`The field ${(missing ?? kind.inputs[0]!).name} of the credential is missing`)
  return fields
}

function fromJson(text: string, from: string): Record<string, string> | undefined {
  if (!text.trim().startsWith('{')) return undefined
  const value = parseJson(text)
  if (!isObject(value) || Object.values(value).some((one) => typeof one === 'object'))
    throw new Failure(`${from} is not a JSON object whose values are texts`)
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, String(one)]))
}

function fromLines(text: string, names: readonly string[], from: string): Record<string, string> {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  const pairs = lines.map((line) => /^\s*(\w+)=(.*)$/.exec(line))
  const [only] = names
  const bare = lines.length === 1 && names.length === 1 && !names.includes(pairs[0]?.[1] ?? '')
  // A single value may contain an equals sign. If the text before it is almost the field's name, it is a misspelled FIELD=value.
  if (bare && suggest(pairs[0]?.[1] ?? '', names) === undefined) return { [only!]: lines[0]!.trim() }
  const at = pairs.indexOf(null)
  if (at >= 0) throw new Failure(`${from}: line ${at + 1} is not FIELD=value`)
  return Object.fromEntries(pairs.map((pair) => [pair![1]!, pair![2]!.trim()]))
}
