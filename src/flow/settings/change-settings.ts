import { isEmptyInput } from '../../cards/field.ts'
import { reasonOf, SluiceError } from '../../kit/errors.ts'
import { isObject, type Json, type JsonObject, parseJson } from '../../kit/json.ts'
import { didYouMean } from '../../kit/suggest.ts'
import { NO_KEY_YET } from '../../contract/flow-store.ts'
import { QUESTION_WATCHES } from '../../contract/question-watch.ts'
import type { Catalog } from '../catalog.ts'
import { credentialKindsOf } from '../credentials.ts'
import { gateSwitches } from './gate-switches.ts'
import { keepsOriginals } from './keeps-originals.ts'
import { questionWatchOf } from './question-watch.ts'
import { namedRow } from './named-row.ts'
import { rateLimitText, readRateLimit } from './rate-limit-text.ts'
import { type Setting, settableInputsOf, type Target, targetsOf } from './targets.ts'

/** The fields of a flow that settings change. */
export type Settable = {
  name: string
  slug: string
  /** JSON text of the drawing. */
  flowData: string
  apiConfig: JsonObject
  apiKeyId: string | null
}

/** Rows that a setting may refer to by name or id. */
export type Known = {
  catalog: Catalog
  keys: readonly { id: string; name: string }[]
  credentials: readonly { id: string; name: string; kind: string }[]
}

/** One change; `node` is the label of the changed node, if it is one of a node. */
export type Change = { key: string; node?: string; from: Json; to: Json }

/** Settings of the flow itself; every other key is an input of a node. */
const FLOW_KEYS = [
  'name',
  'slug',
  'key',
  'uploads',
  'overrides',
  'originals',
  'questions',
  'rateLimit',
  'rateLimit.message',
  'credential',
]

/** Options of requests that belong to no node and can be allowed as overrides. */
const REQUEST_INPUTS = ['returnSourceDocuments', 'addMetadata']

/**
 * Sets values by key: settings of the flow (`uploads`, `overrides`, `key`, `rateLimit`…), `override.INPUT`
 * to allow an input as an override, and inputs of nodes, by their name if only one node has it, otherwise as `NODE.INPUT`.
 * A value is read as the input reads it; an empty value restores the default.
 *
 * @returns the changed flow, which is not stored yet, and the list of changes
 * @throws SluiceError `setting_unknown` with the nearest name, `setting_ambiguous`, `setting_invalid`,
 *   `credential_not_found`, `credential_wrong_kind`, `key_not_found`
 */
export function changeSettings(
  flow: Settable,
  wanted: Readonly<Record<string, Json>>,
  { catalog, keys, credentials }: Known,
): { flow: Settable; changes: Change[]; touched: ReadonlyMap<Target, string> } {
  const drawing = parseJson(flow.flowData) as JsonObject
  const apiConfig = structuredClone(flow.apiConfig)
  const changed: Settable = { ...flow, apiConfig }
  const targets = targetsOf(drawing, catalog)
  const settings = settableInputsOf(targets)
  const gate = gateSwitches(apiConfig)
  const changes: Change[] = []
  /** The nodes whose inputs were set, each with the last key. */
  const touched = new Map<Target, string>()
  const note = (change: Change) => {
    if (JSON.stringify(change.from) !== JSON.stringify(change.to)) changes.push(change)
  }

  for (const [key, value] of Object.entries(wanted)) {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    if (key === 'name' || key === 'slug') setText(key, text)
    else if (key === 'key') setKey(text)
    else if (key === 'uploads') setUploads(text)
    else if (key === 'overrides') setOverrides(text)
    else if (key === 'originals') setOriginals(text)
    else if (key === 'questions') setQuestions(text)
    else if (key === 'rateLimit') setRateLimit(text)
    else if (key === 'rateLimit.message') setLimitMessage(text)
    else if (key.startsWith('override.')) setOverride(key, text)
    else if (key === 'credential' || key.endsWith('.credential')) setCredential(key, text)
    else setInput(key, value)
  }
  changed.flowData = JSON.stringify(drawing)
  return { flow: changed, changes, touched }

  function setText(key: 'name' | 'slug', text: string): void {
    if (text.trim() === '') throw invalid(key, 'it is empty')
    note({ key, from: changed[key], to: text })
    changed[key] = text
  }

  function setKey(text: string): void {
    const shown = (id: string | null) => keys.find((key) => key.id === id)?.name ?? id
    const id = isNone(text)
      ? null
      : text === NO_KEY_YET
        ? NO_KEY_YET
        : namedRow('key', text, keys, 'key_not_found').id
    note({ key: 'key', from: shown(changed.apiKeyId), to: shown(id) })
    changed.apiKeyId = id
  }

  function setUploads(text: string): void {
    const on = switchOf('uploads', text)
    const taking = targets.filter(takesFiles)
    if (taking.length === 0)
      throw invalid('uploads', 'no node of this flow takes files; a loader such as fileLoader does')
    for (const target of taking) {
      note({ key: 'uploads', node: target.label, from: onOff(gate.isOn(target, 'files')), to: onOff(on) })
      gate.set(target, 'files', on)
    }
  }

  function setOverrides(text: string): void {
    const on = switchOf('overrides', text)
    note({ key: 'overrides', from: onOff(gate.open()), to: onOff(on) })
    gate.setOpen(on)
  }

  function setOriginals(text: string): void {
    const on = switchOf('originals', text)
    note({ key: 'originals', from: onOff(keepsOriginals(apiConfig)), to: onOff(on) })
    apiConfig.originals = on ? 'keep' : 'discard'
  }

  function setQuestions(text: string): void {
    const to = QUESTION_WATCHES.find((one) => one === (isNone(text) ? 'off' : text))
    if (!to) throw invalid('questions', `expected off, watch or block, received ${JSON.stringify(text)}`)
    note({ key: 'questions', from: questionWatchOf(apiConfig), to })
    apiConfig.questions = to
  }

  function setOverride(key: string, text: string): void {
    const on = switchOf(key, text)
    const input = key.slice('override.'.length)
    // Overrides can be allowed for nodes of a drawing, not for parts within them.
    const open = settings.filter(({ target }) => target.path === target.nodeId)
    const having: { target: Target; input: string }[] = REQUEST_INPUTS.includes(input)
      ? targets.filter(({ card }) => card.kind === 'vectorStore').map((target) => ({ target, input }))
      : open.filter((setting) => names(setting).includes(input))
    if (having.length === 0) {
      const inputs = [...open.flatMap(names), ...REQUEST_INPUTS]
      throw unknown(key, didYouMean(input, inputs)?.replace('mean ', 'mean override.'))
    }
    for (const { target, input } of having) {
      note({ key, node: target.label, from: onOff(gate.isOn(target, input)), to: onOff(on) })
      gate.set(target, input, on)
    }
  }

  function setRateLimit(text: string): void {
    const before = apiConfig.rateLimit
    try {
      apiConfig.rateLimit = readRateLimit(text, before)
    } catch (error) {
      throw invalid('rateLimit', reasonOf(error))
    }
    note({ key: 'rateLimit', from: rateLimitText(before), to: rateLimitText(apiConfig.rateLimit) })
  }

  function setLimitMessage(text: string): void {
    const held = isObject(apiConfig.rateLimit) ? (apiConfig.rateLimit as JsonObject) : {}
    note({ key: 'rateLimit.message', from: held.limitMsg ?? null, to: text })
    apiConfig.rateLimit = { ...held, limitMsg: text }
  }

  /** Sets a credential for every node that takes its kind, or for the node in the key. */
  function setCredential(key: string, text: string): void {
    const path = key === 'credential' ? undefined : key.slice(0, -'.credential'.length)
    const taking = targets.filter(({ card }) => credentialKindsOf(card).length > 0)
    const meant = path === undefined ? taking : taking.filter((target) => target.path === path)
    if (meant.length === 0) {
      if (path === undefined) throw invalid(key, 'no node of this flow takes a credential')
      throw unknown(
        key,
        didYouMean(
          key,
          taking.map((target) => `${target.path}.credential`),
        ),
      )
    }
    const row = isNone(text) ? undefined : namedRow(key, text, credentials, 'credential_not_found')
    const fitting = row ? meant.filter(({ card }) => credentialKindsOf(card).includes(row.kind)) : meant
    if (row && fitting.length === 0)
      throw new SluiceError('credential_wrong_kind', {
        node: meant.map(({ label }) => label).join(', '),
        wanted: [...new Set(meant.flatMap(({ card }) => credentialKindsOf(card)))].join(' or '),
        name: row.name,
        kind: row.kind,
      })
    for (const target of fitting) {
      const shown = (id: string | undefined) => credentials.find((one) => one.id === id)?.name ?? id ?? null
      note({
        key: 'credential',
        node: target.label,
        from: shown(target.credential()),
        to: row?.name ?? null,
      })
      target.bind(row?.id)
    }
  }

  function setInput(key: string, value: Json): void {
    const found = settings.filter((setting) => names(setting).includes(key))
    if (found.length === 0) throw unknownInput(key)
    if (found.length > 1)
      throw new SluiceError('setting_ambiguous', {
        flow: flow.slug,
        key,
        known: found.map(({ target, input }) => `${target.path}.${input}`).join(', '),
      })
    const { target, input, field } = found[0]!
    const from = (isEmptyInput(target.inputs[input]) ? plain(field.fallback) : target.inputs[input]) as Json
    const to = read(key, field, value)
    target.inputs[input] = to ?? ''
    touched.set(target, key)
    note({ key: input, node: target.label, from, to: to ?? plain(field.fallback) })
  }

  function unknownInput(key: string): SluiceError {
    const closed = targets.flatMap(({ card }) => Object.entries(card.fields)).find(([name]) => name === key)
    if (closed?.[1].type === 'password')
      return invalid(key, 'it is a secret, and a secret comes by a credential', 'set credential to one')
    if (closed?.[1].type === 'file') return invalid(key, 'it is a file, and files come with an upsert')
    return unknown(key, didYouMean(key, [...FLOW_KEYS, ...settings.flatMap(names)]))
  }

  function unknown(key: string, hint: string | undefined): SluiceError {
    return new SluiceError('setting_unknown', {
      flow: flow.slug,
      key,
      hint: hint ?? `GET /api/v1/chatflows/${flow.slug}/settings lists them, as "sluice flow show" does`,
    })
  }
}

const names = ({ target, input }: Setting): string[] => [input, `${target.path}.${input}`]

export const takesFiles = ({ card }: Target): boolean =>
  card.kind === 'loader' && Object.values(card.fields).some((field) => field.type === 'file')

/** The value for the drawing: numbers and flags by their types, all else as given. @returns undefined for the default */
function read(key: string, field: Setting['field'], value: Json): Json | undefined {
  if (isEmptyInput(value)) return undefined
  const given = field.type === 'boolean' ? (onOffAsFlag(value) ?? value) : value
  try {
    const typed = field.read(given)
    return field.type === 'number' || field.type === 'boolean' ? (typed as Json) : given
  } catch (error) {
    throw invalid(key, reasonOf(error))
  }
}

const isNone = (text: string) => /^(none|off|null|)$/i.test(text)

const onOff = (on: boolean) => (on ? 'on' : 'off')

function onOffAsFlag(value: Json): boolean | undefined {
  if (typeof value === 'boolean') return value
  if (typeof value !== 'string') return undefined
  if (/^(on|true|yes|1)$/i.test(value)) return true
  return /^(off|false|no|0)$/i.test(value) ? false : undefined
}

function switchOf(key: string, text: string): boolean {
  const flag = onOffAsFlag(text)
  if (flag === undefined) throw invalid(key, `expected on or off, received ${JSON.stringify(text)}`)
  return flag
}

const plain = (fallback: unknown): Json =>
  ['string', 'number', 'boolean'].includes(typeof fallback) ? (fallback as Json) : null

const invalid = (key: string, reason: string, hint?: string) =>
  new SluiceError('setting_invalid', { key, reason, ...(hint === undefined ? {} : { hint }) })
