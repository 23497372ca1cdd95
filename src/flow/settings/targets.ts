import type { NodeCard } from '../../contract/card.ts'
import type { Field } from '../../contract/field.ts'
import { CREDENTIAL_INPUTS } from '../credentials.ts'
import { isObject, type JsonObject } from '../../kit/json.ts'
import type { Catalog } from '../catalog.ts'
import { partsWithin } from '../import/parts-within.ts'

/** A node of a drawing, or a part within a node, whose inputs can be set. */
export type Target = {
  /** The prefix of the keys of its inputs: the id of the node, and for a part also the input that has it. */
  path: string
  nodeId: string
  label: string
  card: NodeCard
  /** The inputs in the drawing: a change here changes the drawing. */
  inputs: Record<string, unknown>
  credential(): string | undefined
  bind(id: string | undefined): void
}

/** One input of a target. */
export type Setting = { target: Target; input: string; field: Field<unknown> }

/** The nodes of a drawing that this server has, each followed by the parts within it. */
export function targetsOf(drawing: JsonObject, catalog: Catalog): Target[] {
  const nodes = Array.isArray(drawing.nodes) ? drawing.nodes : []
  return nodes.flatMap((raw) => {
    if (!isObject(raw) || !isObject(raw.data) || typeof raw.data.name !== 'string') return []
    const data = raw.data as JsonObject
    data.inputs = isObject(data.inputs) ? data.inputs : {}
    const inputs = data.inputs as Record<string, unknown>
    const nodeId = String(raw.id ?? data.id)
    const card = catalog.get(String(data.name))
    const label = typeof data.label === 'string' ? data.label : String(data.name)
    const own = card ? [nodeTarget({ nodeId, label, card, inputs }, data)] : []
    return [...own, ...partTargets({ nodeId, label, inputs }, catalog)]
  })
}

/** All inputs that can be set. Files (uploads) and secrets (credentials) are not among them. */
export function settableInputsOf(targets: readonly Target[]): Setting[] {
  return targets.flatMap((target) =>
    Object.entries(target.card.fields)
      .filter(([, field]) => !['file', 'password', 'credential'].includes(field.type))
      .map(([input, field]) => ({ target, input, field })),
  )
}

type Found = Pick<Target, 'nodeId' | 'label' | 'card' | 'inputs'>

/** The drawing has the credential of a node beside its inputs. */
const nodeTarget = (found: Found, data: Record<string, unknown>): Target => ({
  ...found,
  path: found.nodeId,
  credential: () => firstText(data.credential, ...CREDENTIAL_INPUTS.map((name) => found.inputs[name])),
  bind(id) {
    for (const name of CREDENTIAL_INPUTS) delete found.inputs[name]
    if (id === undefined) delete data.credential
    else data.credential = id
  },
})

/** The drawing has the credential of a part among its inputs. */
function partTargets({ nodeId, label, inputs }: Omit<Found, 'card'>, catalog: Catalog): Target[] {
  const seen = new Map<string, number>()
  return [...partsWithin(inputs)].flatMap((part) => {
    const card = catalog.get(part.name)
    if (!card) return []
    const times = (seen.get(part.input) ?? 0) + 1
    seen.set(part.input, times)
    return {
      path: `${nodeId}.${part.input}${times > 1 ? times : ''}`,
      nodeId,
      label: `${card.label} in ${label}`,
      card,
      inputs: part.inputs,
      credential: () => firstText(...CREDENTIAL_INPUTS.map((name) => part.inputs[name])),
      bind(id) {
        for (const name of CREDENTIAL_INPUTS) delete part.inputs[name]
        if (id !== undefined) part.inputs.FLOWISE_CREDENTIAL_ID = id
      },
    }
  })
}

const firstText = (...values: unknown[]): string | undefined =>
  values.find((value): value is string => typeof value === 'string' && value !== '')
