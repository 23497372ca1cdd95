import type { JSON_COLUMNS } from '../../contract/flow-store.ts'
import type { NodeCard } from '../../contract/card.ts'
import type { JsonObject } from '../../kit/json.ts'
import type { Catalog } from '../catalog.ts'
import { CREDENTIAL_INPUTS } from '../credentials.ts'
import type { TextObject, TextValue } from './hidden.ts'

/** A node of a text. What has its usual value is left out. */
export type TextNode = {
  /** The name of its kind. */
  node: string
  label?: string
  /** The id of the iteration that it stands in. */
  inside?: string
  /** The id of its credential. */
  credential?: string
  /** The chosen one of several outputs. */
  output?: string
  /** The inputs that its kind has here and that differ from their defaults; of an unknown kind, all. */
  inputs: TextObject
  /** What this server does not know of it, as the drawing has it. */
  kept: { node?: TextObject; data?: TextObject; inputs?: TextObject }
}

/**
 * A line of a text that no input says: from an output of a node to a step, or to an input. `more`: fields of the drawn line that
 * this server does not know.
 */
export type TextLine = { from: string; output?: string; to: string; input?: string; more?: TextObject }

/** The place of a node in pixels, with the size of a frame. */
export type TextPlace = [x: number, y: number] | [x: number, y: number, width: number, height: number]

/** What a text says of a flow beside its drawing; absent where it says nothing of it. */
export type TextHead = { flow?: string; type?: string; category?: string; settings?: TextObject }

/** A flow as its text has it. */
export type FlowModel = {
  head: TextHead
  nodes: Map<string, TextNode>
  lines: TextLine[]
  /** Only of nodes that do not stand where an automatic layout has them. */
  places: Map<string, TextPlace>
  /** Fields of the flow file that this server does not know, and entries that are no nodes or edges. */
  kept: TextObject
}

/** A node of a drawing that can be described, with the id by which others name it. */
export type NodeToDescribe = { id: string; raw: JsonObject; data: JsonObject }

/** All inputs of a node, also those that this server does not know. */
export const allTextInputs = ({ inputs, kept }: TextNode): TextObject => ({ ...kept.inputs, ...inputs })

/** Whether a reference in an input is drawn as a line: not in an input that is filled in. */
export function isPlugInput(node: string, input: string, catalog: Catalog): boolean {
  const card = catalog.get(node)
  return !card || Object.hasOwn(card.anchors, input) || !Object.hasOwn(card.fields, input)
}

export const NOTE = 'stickyNote'

/** Ids that may stand in references and in lines. */
export const isPlainId = (id: string): boolean => /^[\w-]+$/.test(id)

/** The names of the inputs of a card; `agentModelConfig` has the inputs of the part that `agentModel` names. */
function inputNames({ fields, anchors }: NodeCard): string[] {
  return [
    ...Object.keys(anchors),
    ...Object.entries(fields).flatMap(([name, { type, selects }]) =>
      CREDENTIAL_INPUTS.includes(name) && type === 'credential'
        ? []
        : selects === undefined
          ? [name]
          : [name, `${name}Config`],
    ),
  ]
}

/** The names of the inputs of a kind, in their order; undefined for a kind that this server does not have. */
export function inputsOfKind(name: string, catalog: Catalog): readonly string[] | undefined {
  if (name === NOTE) return ['note']
  const card = catalog.get(name)
  return card && inputNames(card)
}

/** The type of a node of a drawing, by its kind. `category`: that of an unknown kind. */
export function usualType(name: string, category: unknown, catalog: Catalog): string {
  if (name === NOTE) return NOTE
  if (name === 'iterationAgentflow') return 'iteration'
  const card = catalog.get(name)
  const isStep = card ? card.kind === 'step' : category === 'Agent Flows'
  return isStep ? 'agentFlow' : 'customNode'
}

/** Whether a node makes its flow an agent flow. */
export function isStepNode({ node, kept }: TextNode, catalog: Catalog): boolean {
  const type = kept.node?.type ?? usualType(node, kept.data?.category, catalog)
  return type === 'agentFlow' || type === 'iteration' || kept.data?.category === 'Agent Flows'
}

/** Whether nodes of this type have a size that a person gives them. */
export const isFrameType = (type: unknown): boolean => type === 'iteration' || type === NOTE

/** Whether an input has no value: absent, null or an empty text. */
export const isEmptyText = (value: TextValue | undefined): boolean =>
  value === undefined || value === null || value === ''

/** The settings of a flow that its text has. */
export type TextSettings = Partial<Record<(typeof JSON_COLUMNS)[number], JsonObject>>
