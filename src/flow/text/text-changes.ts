import type { Json } from '../../kit/json.ts'
import type { Catalog } from '../catalog.ts'
import { plainDefault } from '../draw-card.ts'
import { referenceOf } from '../graph.ts'
import { NOT_SHOWN, settingChangeText } from '../setting-change.ts'
import { lineText } from './drawn-lines.ts'
import { allTextInputs, type FlowModel, type TextNode } from './flow-model.ts'
import { comparable, Hidden, isSameJson, type TextObject, type TextValue } from './hidden.ts'

/** Something that differs between two versions of a flow. `nodeId`: null for the flow itself; `input`: null for the whole node. */
export type TextChange = {
  kind: 'added' | 'removed' | 'changed' | 'moved'
  nodeId: string | null
  input: string | null
  /** In words, without any secret: `Text Splitter: Chunk Size 1000 → 600`. */
  text: string
}

/** What differs between two versions of a flow, in the order of the newer one. */
export function textChanges(before: FlowModel, after: FlowModel, catalog: Catalog): TextChange[] {
  return [
    ...headChanges(before, after),
    ...[...after.nodes].flatMap(([id, node]) => {
      const old = before.nodes.get(id)
      return old
        ? nodeChanges(id, old, node, catalog)
        : [one('added', id, `${labelOf(node, catalog)} (${id})`)]
    }),
    ...[...before.nodes].flatMap(([id, node]) =>
      after.nodes.has(id) ? [] : [one('removed', id, `${labelOf(node, catalog)} (${id})`)],
    ),
    ...lineChanges(before, after),
    ...[...after.nodes].flatMap(([id, node]) => {
      const moved =
        before.nodes.has(id) && !isSameJson(before.places.get(id) ?? null, after.places.get(id) ?? null)
      return moved ? [one('moved', id, labelOf(node, catalog))] : []
    }),
    ...(isSame(before.kept, after.kept) ? [] : [one('changed', null, 'Other fields of the flow file')]),
  ]
}

const one = (kind: TextChange['kind'], nodeId: string | null, text: string): TextChange => ({
  kind,
  nodeId,
  input: null,
  text,
})

function headChanges({ head: was }: FlowModel, { head: is }: FlowModel): TextChange[] {
  const names = { flow: 'Name', type: 'Type', category: 'Category' } as const
  const texts = (Object.keys(names) as (keyof typeof names)[]).flatMap((name) =>
    was[name] === is[name]
      ? []
      : [settingChangeText({ label: names[name], from: was[name] ?? null, to: is[name] ?? null })],
  )
  const [old, now] = [was.settings ?? {}, is.settings ?? {}]
  const settings = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter(
    (name) => !isSame(old[name], now[name]),
  )
  return [...texts, ...settings.map((name) => `Setting ${name} has another value`)].map((text) =>
    one('changed', null, text),
  )
}

function nodeChanges(id: string, was: TextNode, is: TextNode, catalog: Catalog): TextChange[] {
  const label = labelOf(is, catalog)
  const fields = catalog.get(is.node)?.fields ?? {}
  const anchors = catalog.get(is.node)?.anchors ?? {}
  const changed = (input: string | null, text: string): TextChange => ({
    ...one('changed', id, `${label}: ${text}`),
    input,
  })
  const facts = {
    node: 'Kind',
    label: 'Name',
    inside: 'Inside of',
    credential: 'Credential',
    output: 'Output',
  } as const
  const found = (Object.keys(facts) as (keyof typeof facts)[]).flatMap((fact) =>
    was[fact] === is[fact]
      ? []
      : [
          changed(
            null,
            settingChangeText({ label: facts[fact], from: was[fact] ?? null, to: is[fact] ?? null }),
          ),
        ],
  )
  const [old, now] = [allTextInputs(was), allTextInputs(is)]
  for (const input of new Set([...Object.keys(now), ...Object.keys(old)])) {
    const usual = Object.hasOwn(fields, input) ? plainDefault(fields[input]!.fallback) : null
    const [from, to] = [valueIn(old, input) ?? usual, valueIn(now, input) ?? usual]
    if (isSame(from, to)) continue
    const named = (Object.hasOwn(anchors, input) ? anchors[input] : fields[input])?.label ?? input
    found.push(changed(input, settingChangeText({ label: named, from: shown(from), to: shown(to) })))
  }
  const rest = ({ kept }: TextNode) => ({ ...kept.node, ...kept.data })
  if (!isSame(rest(was), rest(is))) found.push(changed(null, 'other data'))
  return found
}

const valueIn = (object: TextObject, name: string): TextValue | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined

function lineChanges({ lines: were }: FlowModel, { lines: are }: FlowModel): TextChange[] {
  const [before, after] = [new Set(were.map(lineText)), new Set(are.map(lineText))]
  return [
    ...[...after].filter((line) => !before.has(line)).map((line) => one('added', null, `Line ${line}`)),
    ...[...before].filter((line) => !after.has(line)).map((line) => one('removed', null, `Line ${line}`)),
  ]
}

const labelOf = ({ node, label }: TextNode, catalog: Catalog): string =>
  label ?? catalog.get(node)?.label ?? node

const isSame = (a: TextValue | undefined, b: TextValue | undefined): boolean =>
  isSameJson(comparable(a ?? null, 'value'), comparable(b ?? null, 'value'))

/** A value for a sentence: nodes by their ids, and nothing of a secret. */
function shown(value: TextValue): Json {
  if (holdsHidden(value)) return NOT_SHOWN
  const named = (Array.isArray(value) ? value : [value]).map((inner) => referenceOf(inner) ?? null)
  if (named.length > 0 && named.every((id) => id !== null)) return named.join(', ')
  return comparable(value)
}

const holdsHidden = (value: TextValue): boolean =>
  value instanceof Hidden ||
  (typeof value === 'object' && value !== null && Object.values(value).some(holdsHidden))
