import type { NodeCard } from '../contract/card.ts'
import type { Json, JsonObject } from '../kit/json.ts'

/** A card's inputs as Flowise's editor and flow files know them; `id` is added to each where a node has one. */
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

/** What a card says of itself whichever node it becomes. */
export function drawFacts(card: NodeCard): JsonObject {
  const { name, label, version, type, category, baseClasses, description } = card
  return { name, label, version, type, category, baseClasses: [...baseClasses], description }
}

/** A default as a form shows it: what is no plain value shows as nothing. */
export function plainDefault(fallback: unknown): Json {
  const plain = typeof fallback === 'number' || typeof fallback === 'boolean' || typeof fallback === 'string'
  return plain ? fallback : ''
}
