import { fingerprint } from '../../kit/hash.ts'
import { isObject, type Json, type JsonObject } from '../../kit/json.ts'
import type { Catalog } from '../catalog.ts'
import { CREDENTIAL_INPUTS } from '../credentials.ts'
import { hasSecret, withoutTypedSecrets } from '../export/export-flow.ts'
import { partsWithin } from '../import/parts-within.ts'
import { plainDefault } from '../draw-card.ts'
import { Hidden, hideDifferences, isSameJson, setMember, type TextObject, type TextValue } from './hidden.ts'

/** An id of a credential, which says nothing without the server. */
const CREDENTIAL_ID = /^[\w-]{1,64}$/

/**
 * The inputs of a node with all secrets hidden: typed-in keys, values of headers, passwords in addresses; and with the files that the
 * flow holds. Ids of credentials stay.
 *
 * @param drawn the types of the inputs by the drawing, for a kind that this server does not have
 */
export function hideSecrets(
  name: string,
  inputs: JsonObject,
  catalog: Catalog,
  drawn: ReadonlyMap<string, string> = new Map(),
): TextObject {
  const stripped = structuredClone(inputs)
  strip(name, stripped, drawn)
  for (const part of partsWithin(stripped)) strip(part.name, part.inputs as JsonObject, new Map())
  const shown = hideDifferences(inputs, stripped)
  return withFilesHidden(shown) as TextObject

  function strip(kind: string, held: JsonObject, types: ReadonlyMap<string, string>): void {
    const fields = catalog.get(kind)?.fields ?? {}
    for (const [input, value] of Object.entries(held)) {
      if (value === null || value === '') continue
      const field = Object.hasOwn(fields, input) ? fields[input] : undefined
      // Everybody knows the choices of an input and its default: splitByHeaders is no list of headers.
      if (field?.options?.includes(String(value)) || isSameJson(value, plainDefault(field?.fallback)))
        continue
      const type = field?.type ?? types.get(input)
      if (CREDENTIAL_INPUTS.includes(input) && typeof value === 'string' && CREDENTIAL_ID.test(value))
        continue
      if (type === 'password') {
        if (hasSecret(value)) setMember(held, input, '')
      } else setMember(held, input, withCredentials(withoutTypedSecrets(value, input), value))
    }
  }
}

/** Numbers of tokens, which have the name of a secret. */
const isCount = (name: string, value: Json | undefined): boolean =>
  /tokens$/i.test(name) && /^-?\d{1,7}$/.test(String(value))

/** Ids of credentials and numbers of tokens have names like secrets: they are put back. */
function withCredentials(stripped: Json, value: Json): Json {
  if (Array.isArray(stripped) && Array.isArray(value))
    return stripped.map((one, at) => withCredentials(one, value[at]!))
  if (!isObject(stripped) || !isObject(value)) return stripped
  const kept: JsonObject = {}
  for (const [name, one] of Object.entries(stripped as JsonObject)) {
    const old = (value as JsonObject)[name]
    const isId = CREDENTIAL_INPUTS.includes(name) && typeof old === 'string' && CREDENTIAL_ID.test(old)
    setMember(
      kept,
      name,
      isId || isCount(name, old) ? old! : old === undefined ? one : withCredentials(one, old),
    )
  }
  return kept
}

/** Settings of a flow with their secrets hidden. */
export const hideSettings = (settings: JsonObject): TextObject =>
  hideDifferences(settings, withoutTypedSecrets(settings)) as TextObject

const FILE = /data:[^,:"\s]*;base64,/

/** A value without the content of files: a text names them. */
function withFilesHidden(value: TextValue): TextValue {
  if (typeof value === 'string')
    return FILE.test(value) ? new Hidden('stored', fileNames(value), value) : value
  if (value instanceof Hidden || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withFilesHidden)
  const shown: TextObject = {}
  for (const [name, one] of Object.entries(value)) setMember(shown, name, withFilesHidden(one))
  return shown
}

/** The names of the files in a value, and a fingerprint of their content. */
function fileNames(value: string): string {
  const names = [...value.matchAll(/,filename:([^",\\]{1,200})/g)].map(([, name]) => name!.trim())
  return [...(names.length > 0 ? names : ['a file']), fingerprint(value).slice(0, 10)].join(', ')
}
