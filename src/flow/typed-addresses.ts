import type { BuildContext, NodeCard } from '../contract/card.ts'
import type { Field } from '../contract/field.ts'
import type { Egress } from '../kit/egress/client.ts'
import type { Catalog } from './catalog.ts'
import type { FlowGraph, FlowNode } from './graph.ts'
import { partsWithin } from './import/parts-within.ts'
import { plainText } from './rich-text.ts'

/** The addresses that the owner of a flow has typed into its drawing: hosts, ports and base URLs of its nodes. */
export type TypedAddresses = ReadonlySet<string>

const known = new WeakMap<FlowGraph, TypedAddresses>()

/** The addresses in a stored drawing, without any value of a request or a variable. */
export function typedAddresses(graph: FlowGraph, catalog: Catalog): TypedAddresses {
  const found =
    known.get(graph) ?? new Set([...graph.nodes.values()].flatMap((node) => addressesOf(node, catalog)))
  known.set(graph, found)
  return found
}

const addressesOf = ({ name, inputs }: Pick<FlowNode, 'name' | 'inputs'>, catalog: Catalog): string[] =>
  [{ name, inputs }, ...partsWithin(inputs)]
    .flatMap((part) => addressesIn(catalog.get(part.name)?.fields ?? {}, part.inputs))
    .flatMap((address) => [address, plainText(address)])

/** The values of guarded inputs that lead to a server: a host, a port, an address. */
function addressesIn(fields: NodeCard['fields'], inputs: Record<string, unknown>): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const value = inputs[name]
    if (typeof value !== 'string' && typeof value !== 'number') return []
    return value !== '' && leadsToServer(field, String(value)) ? [String(value)] : []
  })
}

const leadsToServer = ({ guard }: Field<unknown>, value: string): boolean =>
  guard === 'url' || (guard !== undefined && /^https?:/i.test(value.trim()))

/**
 * The services for a node whose address may come from a request or a variable: then it is not one that the owner has typed, and a
 * server on this machine is closed to it as to a tool.
 *
 * @param typed absent where no request has changed the node
 */
export function ownersServices<C extends Pick<BuildContext, 'egress' | 'openSeparateStore'>>(
  context: C,
  typed: TypedAddresses | undefined,
  { fields }: NodeCard,
  { inputs }: FlowNode,
): C {
  if (!typed || addressesIn(fields, inputs).every((address) => typed.has(address))) return context
  return {
    ...context,
    egress: withoutProviders(context.egress),
    // Engines are shared by flows: one with fewer rights must not be that of a flow with more.
    openSeparateStore: (namespace, engine) =>
      context.openSeparateStore(namespace, { ...engine, key: `${engine.key} of a request` }),
  }
}

const withoutProviders = (egress: Egress): Egress => ({
  ...egress,
  forProvider: () => withoutProviders(egress),
})
