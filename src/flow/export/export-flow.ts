import { isObject, type Json, type JsonObject, parseJson } from '../../kit/json.ts'
import { lenientJson } from '../../kit/lenient-json.ts'
import type { Catalog } from '../catalog.ts'
import { CREDENTIAL_INPUTS } from '../credentials.ts'
import { partsWithin } from '../import/parts-within.ts'

/** The fields of a flow that an export has. */
export type ExportedFlow = {
  name: string
  type: string
  flowData: string
  config: JsonObject
  apiKeyId: string | null
}

/** The field `sluice` of an export, which Flowise ignores. */
export type ExportedSettings = {
  version: 1
  name: string
  type: string
  apiConfig: Json
  chatbotConfig: Json
  category: Json
  /** Whether callers need an API key; never which. */
  access: 'open' | 'key'
  /** What the user has to enter after an import. */
  leftOut: LeftOut[]
}

/** An input that is empty in the export because it had a secret or the id of one. */
export type LeftOut = { node: string; input: string }

/** Names of headers and keys whose value is a secret. */
const SECRET_NAME = /authori[sz]ation|cookie|token|secret|passw|credential|api[-_]?key|(^|[-_])key$/i

/**
 * Writes a flow as a file that Flowise and this server import: the drawing, allowed overrides, limits, and the look of its
 * chat window, and whether callers need a key. Credentials, typed-in keys, stored files, values of headers, and passwords in addresses are left out; each
 * is named. Prompts and code are kept as they are.
 */
export function writeFlowExport(
  flow: ExportedFlow,
  catalog: Catalog,
): { file: JsonObject & { sluice: ExportedSettings }; leftOut: LeftOut[] } {
  const drawing = parseJson(flow.flowData) as JsonObject
  const leftOut: LeftOut[] = []
  for (const raw of Array.isArray(drawing.nodes) ? drawing.nodes : []) {
    if (!isObject(raw) || !isObject(raw.data)) continue
    const data = raw.data as JsonObject
    const node = String(data.label ?? data.name ?? raw.id)
    const drawn = Array.isArray(data.inputParams) ? data.inputParams : []
    const types = new Map(
      drawn.flatMap((param) => (isObject(param) ? [[String(param.name), String(param.type)] as const] : [])),
    )
    if (held(data.credential)) {
      leftOut.push({ node, input: 'credential' })
      delete data.credential
    }
    if (!isObject(data.inputs)) continue
    strip(String(data.name), data.inputs, node, types)
    for (const part of partsWithin(data.inputs)) strip(part.name, part.inputs, `${part.name} in ${node}`)
  }
  const { name, type, config, apiKeyId } = flow
  const settings: ExportedSettings = {
    version: 1,
    name,
    type,
    apiConfig: config.apiConfig ?? null,
    chatbotConfig: config.chatbotConfig ?? null,
    category: config.category ?? null,
    access: apiKeyId === null ? 'open' : 'key',
    leftOut: [],
  }
  return {
    file: { ...drawing, sluice: { ...(withoutSecrets(settings) as ExportedSettings), leftOut } },
    leftOut,
  }

  function strip(
    name: string,
    inputs: Record<string, unknown>,
    node: string,
    drawn: ReadonlyMap<string, string> = new Map(),
  ): void {
    const fields = catalog.get(name)?.fields ?? {}
    for (const [input, value] of Object.entries(inputs)) {
      if (!held(value)) continue
      const field = Object.hasOwn(fields, input) ? fields[input] : undefined
      // Everybody knows the choices of an input: splitByHeaders is no list of headers.
      if (field?.options?.includes(String(value))) continue
      const type = field?.type ?? drawn.get(input)
      const whole = CREDENTIAL_INPUTS.includes(input) || ['password', 'file', 'folder'].includes(type ?? '')
      const kept = whole ? undefined : withoutSecrets(value as Json, input)
      if (whole) delete inputs[input]
      else if (JSON.stringify(kept) !== JSON.stringify(value)) inputs[input] = kept
      else continue
      leftOut.push({ node, input })
    }
  }
}

const held = (value: unknown) => value !== undefined && value !== null && value !== ''

/** Inputs and fields whose value is a list of headers. */
const HEADERS = /headers$/i
/** A value that is a list of headers, or an object with one. */
const OPTIONS = /baseoptions$/i
/** Headers about the format of a body, which have no secrets. */
const HARMLESS = /^(accept(-\w+)?|content-type|user-agent)$/i

/**
 * The same without values that have the name of a secret, in objects, rows of a form, or JSON text. All values of headers
 * are removed.
 */
function withoutSecrets(value: Json, name = '', within = false): Json {
  const ofHeaders =
    within || HEADERS.test(name) || (OPTIONS.test(name) && !(isObject(value) && isObject(value.headers)))
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, '', ofHeaders))
  if (isObject(value)) {
    // A row of a form has the name in one field and the value in another.
    const named = typeof value.key === 'string' && 'value' in value ? value.key : undefined
    const isSecret = (key: string) => {
      if (named !== undefined) return key === 'value' && isSecretName(named, ofHeaders)
      return key !== 'key' && isSecretName(key, ofHeaders)
    }
    return Object.fromEntries(
      Object.entries(value as JsonObject).map(([key, inner]) => {
        if (typeof inner === 'object' && inner !== null) return [key, withoutSecrets(inner, key, ofHeaders)]
        if (isSecret(key)) return [key, isBare(inner) ? inner : '']
        return [key, typeof inner === 'string' ? withoutSecrets(inner, key) : inner]
      }),
    )
  }
  if (typeof value !== 'string') return value
  if (ofHeaders || /options$/i.test(name)) {
    const parsed = lenientJson(value)
    if (typeof parsed === 'object' && parsed !== null) {
      const kept = withoutSecrets(parsed, name, within)
      return JSON.stringify(kept) === JSON.stringify(parsed) ? value : JSON.stringify(kept)
    }
    if (ofHeaders && !isBare(value)) return ''
  }
  return value.replace(/^(\w[\w+.-]*:\/\/[^/?#@:]*):[^/?#@]*@/, '$1@')
}

/** Whether a value with this name is a secret by its name. @param ofHeaders whether it is the name of a header */
export const isSecretName = (name: string, ofHeaders = false): boolean =>
  ofHeaders ? !HARMLESS.test(name) : SECRET_NAME.test(name)

/** A value of an input without the secrets in it, as an export has it. */
export const withoutTypedSecrets = (value: Json, input = ''): Json => withoutSecrets(value, input)

/** Whether a value of an input for secrets holds one: a variable that is filled in later does not. */
export const hasSecret = (value: Json): boolean => !isBare(value)

/** A value with a variable that is filled in later is not a secret: `Bearer {{$vars.token}}`. */
const isBare = (value: Json): boolean =>
  value === null ||
  typeof value === 'boolean' ||
  String(value)
    .replaceAll(/\{\{[^{}]+\}\}|<[^<>]*>/g, '')
    .replace(/^\s*(bearer|basic|token|apikey)\b/i, '')
    .trim() === ''
