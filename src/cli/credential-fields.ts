import type { CredentialKindAnswer } from '../api/credential.ts'
import { isObject, parseJson } from '../kit/json.ts'
import { didYouMean, suggest } from '../kit/suggest.ts'
import { Failure } from './failure.ts'

/**
 * The fields of a credential as they come from standard input: a JSON object, `FIELD=value` lines, or for a kind of one
 * field the bare value. No message repeats a value.
 *
 * @throws Failure for a field that the kind does not have, and for one that is missing
 */
export function readCredentialFields(text: string, kind: CredentialKindAnswer): Record<string, string> {
  const names = kind.inputs.map(({ name }) => name)
  const given = fromJson(text) ?? fromLines(text, names)
  const strange = Object.keys(given).find((name) => !names.includes(name))
  if (strange !== undefined)
    throw new Failure(
      `A credential of the kind ${kind.name} has no field ${strange}`,
      didYouMean(strange, names, `its fields are ${names.join(', ')}`),
    )
  return checkFields(given, kind)
}

/** @throws Failure for a field that is missing, or where all of them are */
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

function fromJson(text: string): Record<string, string> | undefined {
  if (!text.trim().startsWith('{')) return undefined
  const value = parseJson(text)
  if (!isObject(value) || Object.values(value).some((one) => typeof one === 'object'))
    throw new Failure('What came on standard input is no JSON object of texts')
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, String(one)]))
}

function fromLines(text: string, names: readonly string[]): Record<string, string> {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  const pairs = lines.map((line) => /^\s*(\w+)=(.*)$/.exec(line))
  const [only] = names
  const bare = lines.length === 1 && names.length === 1 && !names.includes(pairs[0]?.[1] ?? '')
  // A value may hold an equals sign; a name that is nearly the field's is a slip.
  if (bare && suggest(pairs[0]?.[1] ?? '', names) === undefined) return { [only!]: lines[0]!.trim() }
  const at = pairs.indexOf(null)
  if (at >= 0) throw new Failure(`Line ${at + 1} of standard input is not of the form FIELD=value`)
  return Object.fromEntries(pairs.map((pair) => [pair![1]!, pair![2]!.trim()]))
}
