import {
  type FileNode,
  inputsOf,
  isObject,
  type Json,
  type JsonObject,
  positionOf,
  textOf,
} from './flow-file.ts'

/**
 * A node taken apart for comparing: `label`, `credential`, `place`, each input as `input <name>`, and everything else as
 * `rest`.
 */
export type NodeParts = Map<string, Json>

const INPUT = 'input '

export const inputPart = (name: string): string => `${INPUT}${name}`

/** The name of the input that a part is; undefined for other parts. */
export const inputOfPart = (part: string): string | undefined =>
  part.startsWith(INPUT) ? part.slice(INPUT.length) : undefined

/** Members that the editor of Flowise writes while a flow is looked at. */
const VIEW_MEMBERS = ['selected', 'dragging', 'positionAbsolute', 'width', 'height']

export function partsOf(node: FileNode): NodeParts {
  const { position: _, data, ...rest } = node
  const { label, credential, inputs: __, ...otherData } = data
  for (const name of [...VIEW_MEMBERS]) if (!(node.type === 'stickyNote')) delete rest[name]
  const parts: NodeParts = new Map()
  const add = (name: string, value: Json | undefined) => {
    if (value !== undefined && value !== '') parts.set(name, value)
  }
  add('label', textOf(label))
  add('credential', credential)
  add('place', positionOf(node))
  for (const [name, value] of Object.entries(inputsOf(node))) add(inputPart(name), value)
  const { selected: ___, ...shownData } = otherData
  add('rest', { ...rest, data: shownData })
  return parts
}

/** A node with some parts replaced; a part without a value is taken out. */
export function withParts(node: FileNode, parts: ReadonlyMap<string, Json | undefined>): FileNode {
  let made = node
  for (const [part, value] of parts) made = withPart(made, part, value)
  return made
}

function withPart(node: FileNode, part: string, value: Json | undefined): FileNode {
  const input = inputOfPart(part)
  if (input !== undefined) {
    const { [input]: _, ...inputs } = inputsOf(node)
    return {
      ...node,
      data: { ...node.data, inputs: value === undefined ? inputs : { ...inputs, [input]: value } },
    }
  }
  if (part === 'place') return value === undefined ? node : { ...node, position: value }
  if (part === 'rest') {
    if (!isObject(value) || !isObject(value.data)) return node
    const { label, credential, inputs } = node.data
    const own = { label, credential, inputs }
    const kept = Object.fromEntries(Object.entries(own).filter((pair) => pair[1] !== undefined))
    return {
      ...(value as FileNode),
      ...(node.position === undefined ? {} : { position: node.position }),
      data: { ...value.data, ...kept } as JsonObject,
    }
  }
  const { [part]: _, ...data } = node.data
  return { ...node, data: value === undefined ? data : { ...data, [part]: value } }
}

/** Whether two values are the same JSON; the order of members does not count. */
export function isSame(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((one, at) => isSame(one, b[at]))
  if (!isObject(a) || !isObject(b)) return false
  const names = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...names].every((name) => isSame(a[name], b[name]))
}
