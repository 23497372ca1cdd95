import type { NodeCard, PartKind } from '../contract/card.ts'
import type { Field } from '../contract/field.ts'
import type { Json, JsonObject } from '../kit/json.ts'

/** The inputs of a card as in Flowise's editor and flow files. Inputs of a node also have an `id`. */
export function drawParams(card: NodeCard, nodeId?: string): JsonObject[] {
  return Object.entries(card.fields).map(([name, field]) => ({
    ...(nodeId === undefined ? {} : { id: `${nodeId}-input-${name}-${field.type}` }),
    name,
    label: field.label,
    type: field.type,
    ...(field.description ? { description: field.description } : {}),
    ...(field.fileType ? { fileType: field.fileType } : {}),
    ...(field.options ? { options: field.options.map((option) => ({ label: option, name: option })) } : {}),
    default: plainDefault(field.fallback),
    optional: true,
    additionalParams: field.additional ?? false,
  }))
}

/** The inputs of a card with all that a form needs. Names that Flowise has (`rows`, `array`, `show`) are used as there. */
export function formParams(card: NodeCard): JsonObject[] {
  const drawn = drawParams(card)
  return Object.entries(card.fields).map(([name, field], index) => ({
    ...drawn[index],
    optional: !field.required,
    ...(field.options && field.type !== 'credential' ? { options: labelled(field) } : {}),
    ...hintsOf(name, field, card.kind),
  }))
}

function hintsOf(name: string, field: Field<unknown>, kind: PartKind): JsonObject {
  const {
    range,
    unit,
    main,
    multiline,
    language,
    showWhen,
    loadMethod,
    selects,
    hidden,
    columns,
    guard,
    several,
  } = field
  return {
    ...(field.initial === undefined ? {} : { initial: plainDefault(field.initial) }),
    ...(range ? { ...range } : {}),
    ...(unit === undefined ? {} : { unit }),
    ...(main ? { main } : {}),
    ...(multiline ? { rows: ROWS } : {}),
    ...(language === undefined ? {} : { language }),
    ...(showWhen ? { show: showWhen as JsonObject } : {}),
    ...(loadMethod === undefined ? {} : { loadMethod }),
    ...(selects === undefined ? {} : { selects, config: `${name}Config` }),
    ...(several ? { list: true } : {}),
    ...(hidden ? { hidden } : {}),
    ...(guard === undefined ? {} : { guard }),
    ...(acceptsVariables(kind, field) ? { acceptVariable: true } : {}),
    ...(columns
      ? { array: Object.entries(columns).map(([column, inner]) => columnOf(column, inner, kind)) }
      : {}),
  }
}

/** The kinds of part in whose texts a run replaces variables, at each of their uses. */
const WITH_VARIABLES: readonly PartKind[] = [
  'step',
  'answerer',
  'value',
  'prompt',
  'namedPrompt',
  'passages',
  'chatModel',
  'tools',
  'memory',
  'moderation',
  'vectorStore',
]

/** Whether `{{…}}` may stand in a text: of an upsert, only the texts of a store are filled, and no guarded one. */
const acceptsVariables = (kind: PartKind, { type, selects, guard, refersTo }: Field<unknown>): boolean =>
  WITH_VARIABLES.includes(kind) &&
  (type === 'string' || type === 'json') &&
  selects === undefined &&
  refersTo === undefined &&
  (kind !== 'vectorStore' || guard === undefined)

/** The height of a text input of several lines. */
const ROWS = 4

const columnOf = (name: string, field: Field<unknown>, kind: PartKind): JsonObject => ({
  name,
  label: field.label,
  type: field.type,
  ...(field.description ? { description: field.description } : {}),
  ...(field.options ? { options: labelled(field) } : {}),
  default: plainDefault(field.fallback),
  ...hintsOf(name, field, kind),
})

const labelled = ({ options = [], optionLabels = {} }: Field<unknown>): JsonObject[] =>
  options.map((name) => ({ label: optionLabels[name] ?? optionLabel(name), name }))

/** A label from the name of an option: `assistantMessage` is `Assistant message`; `GET` and `rrf` stay. */
export function optionLabel(name: string): string {
  if (!/[a-z][A-Z]/.test(name)) return name
  const words = name.replace(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Where other nodes plug in. */
export function drawAnchors(card: NodeCard, nodeId?: string): JsonObject[] {
  return Object.entries(card.anchors).map(([name, { label, type, optional = false, list }]) => ({
    ...(nodeId === undefined ? {} : { id: `${nodeId}-input-${name}-${type}` }),
    name,
    label,
    type,
    optional,
    list,
  }))
}

/** The description of a card, equal for all its nodes. */
export function drawFacts(card: NodeCard): JsonObject {
  const { name, label, version, type, category, baseClasses, description } = card
  return { name, label, version, type, category, baseClasses: [...baseClasses], description }
}

/** The value that a new node has in an input. */
export const initialValue = ({ initial, fallback }: Field<unknown>): Json => plainDefault(initial ?? fallback)

/** A default as a form shows it: empty, if it is an object or a list. */
export function plainDefault(fallback: unknown): Json {
  const plain = typeof fallback === 'number' || typeof fallback === 'boolean' || typeof fallback === 'string'
  return plain ? fallback : ''
}
