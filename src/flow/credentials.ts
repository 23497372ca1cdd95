import type { NodeCard } from '../contract/card.ts'
import { SluiceError } from '../kit/errors.ts'
import { maskAddress } from '../kit/mask-address.ts'
import type { Catalog } from './catalog.ts'
import { type FlowGraph, withCredential } from './graph.ts'
import { partsWithin } from './import/parts-within.ts'

/** The inputs that may hold the id of a credential; Flowise has used both names. */
export const CREDENTIAL_INPUTS: readonly string[] = ['FLOWISE_CREDENTIAL_ID', 'credential']

/**
 * A credential that a node of a flow names, and the kinds that the node takes. `address`: the address that the node calls
 * with it; undefined where it is the one of the provider.
 */
export type NamedCredential = {
  nodeId: string
  node: string
  id: string
  kinds: readonly string[]
  address: string | undefined
}

/** The kinds of credential that a node takes; none for a node without such an input. */
export const credentialKindsOf = (card: NodeCard | undefined): readonly string[] =>
  Object.values(card?.fields ?? {}).find((field) => field.type === 'credential')?.options ?? []

/** Every credential that a flow names, by its nodes and by the parts within them. */
export function namedCredentials(graph: FlowGraph, catalog: Catalog): NamedCredential[] {
  return [...graph.nodes.values()].flatMap((node) =>
    [
      { label: node.label, name: node.name, inputs: node.inputs },
      ...[...partsWithin(node.inputs)].map(({ name, inputs }) => ({
        label: `${catalog.get(name)?.label ?? name} in ${node.label}`,
        name,
        inputs: withCredential({}, inputs),
      })),
    ].flatMap(({ label, name, inputs }) => {
      const card = catalog.get(name)
      const kinds = credentialKindsOf(card)
      const id = inputs.credential
      if (kinds.length === 0 || typeof id !== 'string' || id === '') return []
      return [{ nodeId: node.id, node: label, id, kinds, address: addressIn(inputs, card!) }]
    }),
  )
}

/** The value of the first input that holds an address, with a name or password in it left out. */
function addressIn(inputs: Record<string, unknown>, { fields }: NodeCard): string | undefined {
  const given = Object.entries(fields)
    .filter(([, field]) => field.guard === 'url' && field.type === 'string')
    .map(([name]) => inputs[name])
    .find((value) => typeof value === 'string' && URL.canParse(value))
  return given === undefined ? undefined : maskAddress(String(given))
}

/** The refusal of a credential whose kind a node does not take. */
export const wrongCredentialKind = (
  node: string,
  kinds: readonly string[],
  { name, kind }: { name: string; kind: string },
): SluiceError => new SluiceError('credential_wrong_kind', { node, wanted: kinds.join(' or '), name, kind })
