import { SluiceError } from '../../kit/errors.ts'
import { isObject, type Json, type JsonObject } from '../../kit/json.ts'
import type { Catalog } from '../catalog.ts'
import { CREDENTIAL_INPUTS } from '../credentials.ts'
import { plainDefault } from '../draw-card.ts'
import { referenceOf, written } from '../graph.ts'
import { automaticPlaces } from './automatic-places.ts'
import { describeLine, plugOf } from './drawn-lines.ts'
import {
  type NodeToDescribe,
  type FlowModel,
  isPlugInput,
  inputsOfKind,
  isEmptyText,
  isFrameType,
  NOTE,
  type TextNode,
  type TextPlace,
  usualType,
} from './flow-model.ts'
import { isSameJson, setMember, type TextValue } from './hidden.ts'
import { hideSecrets } from './hide-secrets.ts'

/** What a node of a known kind has of its card, and what an editor keeps there while it draws. */
const OF_THE_CARD: ReadonlySet<string> = new Set([
  ...['type', 'category', 'baseClasses', 'description', 'version', 'inputParams', 'inputAnchors'],
  ...[
    'outputAnchors',
    'icon',
    'iconSrc',
    'colour',
    'color',
    'part',
    'tags',
    'badge',
    'author',
    'hint',
    'warning',
  ],
  ...[
    'filePath',
    'documentation',
    'deprecateMessage',
    'hideInput',
    'hideOutput',
    'loadMethods',
    'status',
    'error',
  ],
])
const OF_EVERY_NODE: ReadonlySet<string> = new Set(['id', 'name', 'label', 'inputs', 'selected'])
/** What an editor keeps beside a node while it draws. */
const OF_THE_EDITOR: ReadonlySet<string> = new Set([
  ...['id', 'data', 'type', 'position', 'positionAbsolute', 'selected', 'dragging', 'resizing', 'measured'],
  ...['width', 'height', 'parentNode'],
])

/** The nodes of a drawing in their order; `strangers` are entries that are no nodes. @throws SluiceError `flow_invalid` */
export function drawnNodes(drawing: JsonObject): { nodes: NodeToDescribe[]; strangers: Json[] } {
  if (!Array.isArray(drawing.nodes))
    throw new SluiceError('flow_invalid', { reason: 'it has no list of nodes' })
  const nodes = new Map<string, NodeToDescribe>()
  const strangers: Json[] = []
  for (const raw of drawing.nodes) {
    const data = isObject(raw) && isObject(raw.data) ? (raw.data as JsonObject) : undefined
    const id = isObject(raw) && typeof raw.id === 'string' ? raw.id : written(data?.id)
    if (!data || !isObject(raw) || typeof data.name !== 'string' || data.name === '' || id === '')
      strangers.push(raw)
    else if (!nodes.has(id)) nodes.set(id, { id, raw: raw as JsonObject, data })
    else if (raw.type === NOTE) strangers.push(raw as JsonObject)
    else throw new SluiceError('flow_invalid', { reason: `two nodes have the id ${id}` })
  }
  return { nodes: [...nodes.values()], strangers }
}

/**
 * What the text of a drawing says. Connections come from the inputs, and from lines where an input is empty, as when the flow runs.
 *
 * @throws SluiceError `flow_invalid` if there is no list of nodes, or two nodes have one id
 */
export function describeDrawing(drawing: JsonObject, catalog: Catalog): FlowModel {
  const { nodes, strangers } = drawnNodes(drawing)
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const inputs = new Map(
    nodes.map(({ id, data }) => [id, isObject(data.inputs) ? { ...(data.inputs as JsonObject) } : {}]),
  )
  const edges = Array.isArray(drawing.edges) ? drawing.edges : []
  for (const edge of edges) fillFromLine(inputs, edge)
  const model: FlowModel = {
    head: {},
    nodes: new Map(nodes.map((node) => [node.id, describeNode(node, inputs.get(node.id)!, catalog)])),
    lines: [],
    places: new Map(),
    kept: {},
  }
  const strangeEdges: Json[] = []
  const seen = new Set<string>()
  for (const edge of edges) {
    const line = describeLine(edge, byId, (to, input) =>
      isPlugInput(String(byId.get(to)!.data.name), input, catalog) ? inputs.get(to)![input] : undefined,
    )
    if (line === 'implied') continue
    if (line === undefined) strangeEdges.push(edge)
    else if (!seen.has(JSON.stringify(line))) {
      seen.add(JSON.stringify(line))
      model.lines.push(line)
    }
  }
  const automatic = automaticPlaces(model, catalog)
  for (const node of nodes) {
    const place = placeOf(node)
    if (place && !isSameJson(place, automatic.get(node.id)!)) model.places.set(node.id, place)
  }
  for (const [name, value] of Object.entries(drawing))
    if (!['nodes', 'edges', 'viewport'].includes(name)) setMember(model.kept, name, value as TextValue)
  if (strangers.length > 0) model.kept.nodes = strangers as TextValue
  if (strangeEdges.length > 0) model.kept.edges = strangeEdges as TextValue
  return model
}

/** As `readGraph` does: an empty input has the nodes that lines lead to it. */
function fillFromLine(inputs: ReadonlyMap<string, JsonObject>, edge: Json): void {
  if (!isObject(edge)) return
  const [source, target] = [written(edge.source), written(edge.target)]
  const held = inputs.get(target)
  const plug = plugOf(target, written(edge.targetHandle))
  if (!held || !inputs.has(source) || plug === undefined) return
  const value = Object.hasOwn(held, plug) ? held[plug] : undefined
  const reference = `{{${source}.data.instance}}`
  if (Array.isArray(value)) {
    if (!value.some((one) => referenceOf(one) === source)) held[plug] = [...value, reference]
  } else if (value === undefined || value === null || value === '') held[plug] = [reference]
}

function describeNode({ raw, data }: NodeToDescribe, inputs: JsonObject, catalog: Catalog): TextNode {
  const name = String(data.name)
  const card = catalog.get(name)
  const known = inputsOfKind(name, catalog)
  const shown = hideSecrets(name, inputs, catalog, drawnTypes(data))
  const node: TextNode = { node: name, inputs: {}, kept: {} }
  const usualLabel = name === NOTE ? 'Note' : (card?.label ?? name)
  if (typeof data.label === 'string' && data.label !== usualLabel) node.label = data.label
  if (typeof raw.parentNode === 'string') node.inside = raw.parentNode
  const credential = data.credential || inputs.FLOWISE_CREDENTIAL_ID || inputs.credential
  if (typeof credential === 'string' && credential !== '') node.credential = credential
  const others = withoutOutput(data.outputs, node)

  const order = known ?? Object.keys(shown)
  const names = new Set([...order, ...Object.keys(shown)])
  for (const input of names) {
    if (!Object.hasOwn(shown, input)) continue
    const value = shown[input]!
    if (CREDENTIAL_INPUTS.includes(input) && (value === node.credential || isEmptyText(value))) continue
    if (known?.includes(input)) {
      const field = card?.fields[input]
      const isPlug = card !== undefined && Object.hasOwn(card.anchors, input)
      const usual = field ? plainDefault(field.fallback) : isPlug && Array.isArray(value) ? [] : ''
      if (!isEmptyText(value) && !isSame(value, usual)) setMember(node.inputs, input, value)
    } else if (value !== '') known ? keep(node, 'inputs', input, value) : setMember(node.inputs, input, value)
  }

  // A kind that this server does not have is no mistake where something is kept of it.
  if (!known) node.kept.data = {}
  const dropped = known ? OF_THE_CARD : new Set<string>()
  for (const [key, value] of Object.entries(data)) {
    const isTaken =
      key === 'outputs' ? others === undefined : key === 'credential' && value === node.credential
    if (OF_EVERY_NODE.has(key) || dropped.has(key) || isTaken) continue
    if (key === 'credential' && isEmptyText(value)) continue
    keep(node, 'data', key, (key === 'outputs' ? others! : value) as TextValue)
  }
  const type = usualType(name, data.category, catalog)
  if (raw.type !== undefined && raw.type !== type) keep(node, 'node', 'type', raw.type as TextValue)
  for (const [key, value] of Object.entries(raw)) {
    if (OF_THE_EDITOR.has(key) || (key === 'extent' && value === 'parent')) continue
    keep(node, 'node', key, value as TextValue)
  }
  return node
}

/** Keeps a field of a node that this server does not know. */
function keep({ kept }: TextNode, part: keyof TextNode['kept'], name: string, value: TextValue): void {
  const fields = kept[part] ?? {}
  setMember(fields, name, value)
  kept[part] = fields
}

const isSame = (value: TextValue, usual: Json): boolean =>
  !(typeof value === 'object' && value !== null && !Array.isArray(value)) && isSameJson(value as Json, usual)

/** Takes the chosen output of a node; undefined where nothing else is left of its outputs. */
function withoutOutput(outputs: Json | undefined, node: TextNode): Json | undefined {
  if (!isObject(outputs))
    return outputs === undefined || isEmptyText(outputs as TextValue) ? undefined : outputs
  const left = Object.entries(outputs as JsonObject).filter(([, value]) => value !== '' && value !== null)
  const [only] = left
  if (only === undefined) return undefined
  if (left.length === 1 && only[0] === 'output' && typeof only[1] === 'string' && /^\w+$/.test(only[1])) {
    node.output = only[1]
    return undefined
  }
  return Object.fromEntries(left)
}

const drawnTypes = ({ inputParams }: JsonObject): Map<string, string> =>
  new Map(
    (Array.isArray(inputParams) ? inputParams : []).flatMap((param) =>
      isObject(param) ? [[String(param.name), String(param.type)] as const] : [],
    ),
  )

function placeOf({ raw, data }: NodeToDescribe): TextPlace | undefined {
  const { position, width, height } = raw
  if (!isObject(position)) return undefined
  const { x, y } = position
  if (typeof x !== 'number' || typeof y !== 'number') return undefined
  const at: TextPlace = [whole(x), whole(y)]
  const isFrame = isFrameType(raw.type) || data.name === NOTE
  return isFrame && typeof width === 'number' && typeof height === 'number'
    ? [at[0], at[1], whole(width), whole(height)]
    : at
}

/** A whole number of pixels; never -0. */
const whole = (pixels: number): number => Math.round(pixels) + 0
