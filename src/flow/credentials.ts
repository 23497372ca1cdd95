import type { NodeCard } from '../contract/card.ts'
import { SluiceError } from '../kit/errors.ts'
import type { Catalog } from './catalog.ts'
import { type FlowGraph, withCredential } from './graph.ts'
import { partsWithin } from './import/parts-within.ts'

/** The inputs that may hold the id of a credential; Flowise has used both names. */
export const CREDENTIAL_INPUTS: readonly string[] = ['FLOWISE_CREDENTIAL_ID', 'credential']

/** A credential that a node of a flow names, and the kinds that the node takes. */
export type NamedCredential = { node: string; id: string; kinds: readonly string[] }

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
      const kinds = credentialKindsOf(catalog.get(name))
      const id = inputs.credential
      return kinds.length > 0 && typeof id === 'string' && id !== '' ? [{ node: label, id, kinds }] : []
    }),
  )
}

/** The refusal of a credential whose kind a node does not take. */
export const wrongCredentialKind = (
  node: string,
  kinds: readonly string[],
  { name, kind }: { name: string; kind: string },
): SluiceError => new SluiceError('credential_wrong_kind', { node, wanted: kinds.join(' or '), name, kind })
