import type { NodeKindAnswer } from '../../../../src/api/node.ts'
import { isPlug, type NodeInput, type NodeKinds } from '../../../drawing/node-kinds.ts'

/** What may stand at a place in a text. `from`: where the begun word begins, in characters. */
export type TextOffers = { from: number; offers: TextOffer[] }
export type TextOffer = { label: string; detail: string; insert: string }

const SECTIONS = {
  nodes: 'the nodes',
  lines: 'lines between steps',
  places: 'where nodes stand',
  kept: 'other fields',
}
const FACTS = {
  node: 'its kind',
  label: 'its name on the canvas',
  credential: 'the id of its credential',
  inputs: 'its inputs',
  inside: 'the iteration that it is in',
  output: 'the chosen output',
}

type Place = { path: string[]; indent: number }

/**
 * What a person may mean at a place in the text of a flow: a section, a kind of node, an input of the node, an option of the input, or a
 * node that fits.
 *
 * @param at in characters
 */
export function textOffers(text: string, at: number, kinds: NodeKinds): TextOffers | undefined {
  const start = text.lastIndexOf('\n', at - 1) + 1
  const before = text.slice(start, at)
  const lines = text.slice(0, start).split('\n').slice(0, -1)
  const value = /^(\s*)([\w-]+):\s+(\S.*)?$/.exec(before)
  const item = /^(\s*)- (\S.*)?$/.exec(before)
  if (value) {
    const path = [...pathAt(lines, value[1]!.length).path, value[2]!]
    return ending(at, value[3] ?? '', valueOffers(text, path, kinds))
  }
  if (item) {
    const { path } = pathAt(lines, item[1]!.length)
    return ending(
      at,
      item[2] ?? '',
      path[2] === 'inputs' && path.length === 4 ? valueOffers(text, path, kinds) : [],
    )
  }
  const name = /^(\s*)([\w-]*)$/.exec(before)
  if (!name) return undefined
  const { path, indent } = pathAt(lines, name[1]!.length)
  if (path.length > 0 && name[1]!.length <= indent) return undefined
  return ending(at, name[2]!, nameOffers(text, path, kinds))
}

const ending = (at: number, word: string, offers: TextOffer[]): TextOffers | undefined =>
  offers.length === 0 ? undefined : { from: at - word.length, offers }

/** The names of the maps in which a line with this indentation stands. */
function pathAt(lines: readonly string[], indent: number): Place {
  const path: string[] = []
  let [limit, of] = [indent, 0]
  for (const line of lines.toReversed()) {
    const found = /^(\s*)([\w-]+):(\s|$)/.exec(line)
    if (!found || found[1]!.length >= limit) continue
    if (path.length === 0) of = found[1]!.length
    path.unshift(found[2]!)
    limit = found[1]!.length
    if (limit === 0) break
  }
  return { path, indent: of }
}

function nameOffers(text: string, path: readonly string[], kinds: NodeKinds): TextOffer[] {
  const [section, id, part] = path
  const listed = (names: Record<string, string>) =>
    Object.entries(names).map(([label, detail]) => ({ label, detail, insert: `${label}: ` }))
  if (path.length === 0) return listed(SECTIONS)
  if (section === 'places' && path.length === 1)
    return [...nodeNames(text)].map(([one]) => ({ label: one, detail: '', insert: `${one}: ` }))
  if (section !== 'nodes') return []
  if (path.length === 2) return listed(FACTS)
  if (path.length !== 3 || part !== 'inputs') return []
  const kind = kinds.get(nodeNames(text).get(id!) ?? '')
  const there = new Set(namesWithin(text, id!))
  return (kind?.inputs ?? [])
    .filter(({ name, type, hidden }) => type !== 'credential' && !hidden && !there.has(name))
    .map((input) => ({ label: input.name, detail: input.label, insert: `${input.name}: ` }))
}

function valueOffers(text: string, path: readonly string[], kinds: NodeKinds): TextOffer[] {
  const [section, id, part, name] = path
  if (section !== 'nodes') return []
  if (part === 'node' && path.length === 3)
    return [...kinds.values()].map((kind) => ({ label: kind.name, detail: kind.label, insert: kind.name }))
  if (part !== 'inputs' || path.length !== 4) return []
  const names = nodeNames(text)
  const input = kinds.get(names.get(id!) ?? '')?.inputs.find((one) => one.name === name)
  if (!input) return []
  if (isPlug(input)) return fitting(input, id!, names, kinds)
  if (input.type === 'boolean')
    return ['true', 'false'].map((one) => ({ label: one, detail: '', insert: one }))
  return (input.options ?? []).map((one) => ({
    label: one.name,
    detail: one.label === one.name ? '' : one.label,
    insert: one.name,
  }))
}

function fitting(
  input: NodeInput,
  target: string,
  names: ReadonlyMap<string, string>,
  kinds: NodeKinds,
): TextOffer[] {
  const fits = (kind: NodeKindAnswer | undefined) =>
    input.type.split('|').some((one) => kind?.baseClasses.includes(one.trim()))
  return [...names].flatMap(([id, name]) =>
    id !== target && fits(kinds.get(name))
      ? [{ label: `<- ${id}`, detail: kinds.get(name)!.label, insert: `<- ${id}` }]
      : [],
  )
}

/** The nodes of a text: the kind of each by its id. */
function nodeNames(text: string): Map<string, string> {
  const names = new Map<string, string>()
  let id: string | undefined
  for (const line of sectionOf(text)) {
    const opened = /^ {2}([\w-]+):\s*$/.exec(line)
    if (opened) id = opened[1]!
    const kind = /^ {4}node:\s+([\w-]+)/.exec(line)
    if (kind && id !== undefined) names.set(id, kind[1]!)
  }
  return names
}

/** The names of the inputs that a node has in a text. */
function namesWithin(text: string, id: string): string[] {
  const found: string[] = []
  let inside = false
  for (const line of sectionOf(text)) {
    const opened = /^ {2}([\w-]+):\s*$/.exec(line)
    if (opened) inside = opened[1] === id
    const name = /^ {6}([\w-]+):/.exec(line)
    if (inside && name) found.push(name[1]!)
  }
  return found
}

/** The lines of the nodes. */
function sectionOf(text: string): string[] {
  const lines = text.split('\n')
  const from = lines.findIndex((line) => /^nodes:/.test(line)) + 1
  const end = lines.findIndex((line, at) => at >= from && /^\S/.test(line) && !line.startsWith('#'))
  return from === 0 ? [] : lines.slice(from, end < 0 ? undefined : end)
}
