import type { NodeCard } from '../contract/card.ts'
import { canonicalJson, isObject, type Json } from '../kit/json.ts'
import { isEmptyInput } from '../cards/field.ts'
import type { Catalog } from './catalog.ts'
import { type FlowGraph, type FlowNode, pluggedInto, readGraph } from './graph.ts'
import { settingValue } from './load-settings.ts'
import type { SettingChange } from './compare-load-settings.ts'
import { NOT_SHOWN } from './setting-change.ts'

/** The most changes that a comparison lists. */
const MOST = 200

/**
 * What one drawing does otherwise than another: inputs with other values, nodes that came or went, what is plugged in elsewhere. Places of
 * nodes on the canvas are no change, nor is an empty input that gets its default. Long values, addresses and secrets are not shown.
 *
 * @param before the drawing that is live
 * @param after the other one
 * @returns at most 200 changes, in the order of the nodes
 * @throws SluiceError `flow_invalid` for a drawing that cannot be read
 */
export function drawingChanges(catalog: Catalog, before: unknown, after: unknown): SettingChange[] {
  const [then, now] = [readGraph(before), readGraph(after)]
  const changes: SettingChange[] = []
  for (const node of now.nodes.values()) {
    const was = then.nodes.get(node.id)
    if (was?.name === node.name) changes.push(...inputChanges(catalog.get(node.name), was, node, [then, now]))
    else changes.push(wholeNode(node.id, was?.label ?? null, node.label))
  }
  for (const node of then.nodes.values())
    if (!now.nodes.has(node.id)) changes.push(wholeNode(node.id, node.label, null))
  if (wiring(then) !== wiring(now))
    changes.push({ nodeId: '', input: null, label: 'Order of steps', from: NOT_SHOWN, to: NOT_SHOWN })
  return changes.slice(0, MOST)
}

const wholeNode = (nodeId: string, from: string | null, to: string | null): SettingChange => ({
  nodeId,
  input: null,
  label: 'Node',
  from,
  to,
})

/** The edges of an agent flow and of branches: those of other flows are in the inputs of nodes. */
const wiring = ({ steps, branches }: FlowGraph): string =>
  [...steps.map((step) => canonicalJson(step)), ...branches.map((branch) => canonicalJson(branch))]
    .toSorted()
    .join('\n')

function inputChanges(
  card: NodeCard | undefined,
  was: FlowNode,
  now: FlowNode,
  [then, after]: readonly [FlowGraph, FlowGraph],
): SettingChange[] {
  const changes: SettingChange[] = []
  const add = (input: string | null, label: string, from: Json, to: Json) =>
    changes.push({ nodeId: now.id, input, label, from, to })
  if (was.label !== now.label) add(null, 'Name', was.label, now.label)
  const names = new Set([...Object.keys(was.inputs), ...Object.keys(now.inputs)])
  for (const name of names) {
    const [from, to] = [was.inputs[name], now.inputs[name]] as [Json | undefined, Json | undefined]
    if (canonicalJson(from ?? null) === canonicalJson(to ?? null)) continue
    const anchor = card?.anchors[name]
    if (anchor) {
      const [before, plugged] = [labels(then, from), labels(after, to)]
      if (canonicalJson(pluggedInto(from)) !== canonicalJson(pluggedInto(to)))
        add(name, anchor.label, before, plugged)
      continue
    }
    const [before, value] = [shownInput(card, name, from), shownInput(card, name, to)]
    const same = before.hash === value.hash
    if (!same) add(name, card?.fields[name]?.label ?? name, before.shown, value.shown)
  }
  return changes
}

const labels = ({ nodes }: FlowGraph, value: unknown): string | null =>
  pluggedInto(value)
    .map((id) => nodes.get(id)?.label ?? id)
    .join(', ') || null

/** An input as it is told, and what tells it from other values. Without a card nothing is known about it, so it is not shown. */
function shownInput(card: NodeCard | undefined, name: string, raw: Json | undefined) {
  const field = card?.fields[name]
  if (!field) return { shown: NOT_SHOWN as Json, hash: canonicalJson(raw ?? null) }
  const value = isEmptyInput(raw) ? (field.fallback ?? null) : readOr(field, raw!)
  const isHidden = field.type === 'password' || field.type === 'credential' || field.type === 'file'
  const stored = settingValue(field, value)
  const shown =
    isHidden || (isObject(stored) && typeof stored.hidden === 'string') ? NOT_SHOWN : (stored as Json)
  return { shown, hash: canonicalJson((value ?? null) as Json) }
}

/** The value that a node would get; one that its card refuses is told as it is written. */
function readOr(field: NodeCard['fields'][string], raw: Json): unknown {
  try {
    return field.read(raw)
  } catch {
    return raw
  }
}
