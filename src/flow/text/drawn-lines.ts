import { isObject, type Json, type JsonObject } from '../../kit/json.ts'
import type { Catalog } from '../catalog.ts'
import { pluggedInto, written } from '../graph.ts'
import { type NodeToDescribe, isPlainId, type TextLine, type TextNode } from './flow-model.ts'
import { setMember, type TextObject, type TextValue } from './hidden.ts'

/** The input that a line leads to: a handle is `<node>-input-<input>-<classes>`. */
export function plugOf(target: string, targetHandle: string): string | undefined {
  const start = `${target}-input-`
  return targetHandle.startsWith(start) ? /^\w+(?=-)/.exec(targetHandle.slice(start.length))?.[0] : undefined
}

/** The output in a handle, `<node>-output-<output>-<classes>`; undefined for the only output of a node. */
function outputOf(source: string, sourceHandle: string, usual: readonly string[]): string | undefined {
  const start = `${source}-output-`
  const name = sourceHandle.startsWith(start) ? /^\w+/.exec(sourceHandle.slice(start.length))?.[0] : undefined
  return name === undefined || usual.includes(name) ? undefined : name
}

const DRAWN: ReadonlySet<string> = new Set([
  ...['id', 'source', 'target', 'sourceHandle', 'targetHandle', 'type', 'data', 'selected', 'animated'],
])
/** What an editor derives from the nodes at both ends. */
const DERIVED: ReadonlySet<string> = new Set(['sourceColor', 'targetColor', 'edgeLabel', 'isHumanInput'])

/**
 * A line of a drawing: `implied` where an input of the text says it; undefined where it leads from or to no node.
 *
 * @param pluggedAt the value of an input into which nodes are plugged, by node and input
 */
export function describeLine(
  edge: Json,
  nodes: ReadonlyMap<string, Pick<NodeToDescribe, 'data'>>,
  pluggedAt: (to: string, input: string) => Json | undefined,
): TextLine | 'implied' | undefined {
  if (!isObject(edge) || typeof edge.source !== 'string' || typeof edge.target !== 'string') return undefined
  const { source: from, target: to } = edge
  const source = nodes.get(from)
  if (!source || !nodes.has(to) || !isPlainId(from) || !isPlainId(to)) return undefined
  const input = plugOf(to, written(edge.targetHandle))
  const { data } = source
  const chosen = isObject(data.outputs) ? written(data.outputs.output) : ''
  const output = outputOf(from, written(edge.sourceHandle), [written(data.name), 'output', chosen])
  const more = fieldsBeside(edge as JsonObject)
  const held = input === undefined ? undefined : pluggedAt(to, input)
  if (input !== undefined && output === undefined && !more && pluggedInto(held).includes(from))
    return 'implied'
  return {
    from,
    ...(output === undefined ? {} : { output }),
    to,
    ...(input === undefined ? {} : { input }),
    ...(more ? { more } : {}),
  }
}

/** The fields of a line that this server does not know. */
function fieldsBeside(edge: JsonObject): TextObject | undefined {
  const more: TextObject = {}
  for (const [name, value] of Object.entries(edge))
    if (!DRAWN.has(name)) setMember(more, name, value as TextValue)
  const data: TextObject = {}
  for (const [name, value] of Object.entries(isObject(edge.data) ? (edge.data as JsonObject) : {}))
    if (!DERIVED.has(name) && value !== '' && value !== null) setMember(data, name, value as TextValue)
  if (Object.keys(data).length > 0) more.data = data
  return Object.keys(more).length > 0 ? more : undefined
}

/** `a -> b`, `a.returnTrue -> b.model`. */
export const lineText = ({ from, output, to, input }: TextLine): string =>
  `${from}${output === undefined ? '' : `.${output}`} -> ${to}${input === undefined ? '' : `.${input}`}`

const LINE = /^\s*([\w-]+)(?:\.(\w+))?\s+->\s+([\w-]+)(?:\.(\w+))?\s*$/

/** The line that a text names; undefined where it is none. */
export function readTextLine(text: string): TextLine | undefined {
  const [, from, output, to, input] = LINE.exec(text) ?? []
  if (from === undefined || to === undefined) return undefined
  return { from, ...(output === undefined ? {} : { output }), to, ...(input === undefined ? {} : { input }) }
}

/** What identifies a line within a drawing. */
export const lineKey = ({ from, output, to, input }: TextLine): string => [from, output, to, input].join('\n')

/** Draws a line as an editor of Flowise does. */
export function drawLine(line: TextLine, nodes: ReadonlyMap<string, TextNode>, catalog: Catalog): JsonObject {
  const { from, output, to, input, more } = line
  const source = nodes.get(from)!
  const card = catalog.get(source.node)
  const classes = (card?.baseClasses ?? classesOf(source)).join('|')
  const named = output ?? source.output ?? source.node
  const sourceHandle =
    input === undefined || classes === '' ? `${from}-output-${named}` : `${from}-output-${named}-${classes}`
  const anchors = catalog.get(nodes.get(to)!.node)?.anchors ?? {}
  const type = input !== undefined && Object.hasOwn(anchors, input) ? anchors[input]!.type : 'Part'
  const targetHandle = input === undefined ? to : `${to}-input-${input}-${type}`
  const { data, ...others } = (more ?? {}) as JsonObject
  return {
    source: from,
    sourceHandle,
    target: to,
    targetHandle,
    type: input === undefined ? 'agentFlow' : 'buttonedge',
    id: `${from}-${sourceHandle}-${to}-${targetHandle}`,
    data: {
      ...(input === undefined ? stepData(source.node, output) : { label: '' }),
      ...(data as JsonObject),
    },
    ...others,
  }
}

const classesOf = ({ kept }: TextNode): string[] => {
  const classes = kept.data?.baseClasses
  return Array.isArray(classes) ? classes.filter((one) => typeof one === 'string') : []
}

const ANSWERS = ['proceed', 'reject']

function stepData(name: string, output: string | undefined): JsonObject {
  if (output === undefined || !/^\d+$/.test(output)) return {}
  const isHumanInput = name === 'humanInputAgentflow'
  return { edgeLabel: (isHumanInput && ANSWERS[Number(output)]) || output, isHumanInput }
}
