import { isObject, type Json, type JsonObject } from '../../kit/json.ts'
import type { Catalog } from '../catalog.ts'
import { drawAnchors, drawFacts, drawParams, plainDefault } from '../draw-card.ts'
import { pluggedInto } from '../graph.ts'
import { automaticPlaces } from './automatic-places.ts'
import { describeDrawing, drawnNodes } from './describe-drawing.ts'
import { describeLine, drawLine, lineKey } from './drawn-lines.ts'
import {
  allTextInputs,
  type FlowModel,
  isFrameType,
  isPlugInput,
  NOTE,
  type TextLine,
  type TextNode,
  type TextPlace,
  usualType,
} from './flow-model.ts'
import { comparable, isSameJson, setMember, type TextObject, withHidden } from './hidden.ts'

/** A hidden value that nobody knows here: it has to be entered. `nodeId`: null for a setting of the flow. */
export type MissingValue = { nodeId: string | null; input: string }

/** A drawing that was made of a text. */
export type DrawnText = { drawing: JsonObject; missing: MissingValue[] }

/**
 * Draws the flow of a text. What the text does not say is taken from the drawing that is there: hidden values, and how unchanged nodes
 * and lines are drawn, so that a text without changes leaves every byte as it is.
 *
 * @param known the drawing that the text changes
 */
export function drawText(model: FlowModel, catalog: Catalog, known?: JsonObject): DrawnText {
  const before = known && describeDrawing(known, catalog)
  if (before && isSameJson(comparableModel(before), comparableModel(model)))
    return { drawing: known!, missing: [] }
  const rawNodes = new Map(known ? drawnNodes(known).nodes.map(({ id, raw }) => [id, raw]) : [])
  const missing: MissingValue[] = []
  const automatic = automaticPlaces(model, catalog)
  const nodes = [...model.nodes].map(([id, node]) => {
    const [old, raw] = [before?.nodes.get(id), rawNodes.get(id)]
    const given = model.places.get(id)
    const place = given ?? automatic.get(id)!
    if (old && raw && isSameJson(comparable(old as TextObject), comparable(node as TextObject)))
      return given || raw.position !== undefined ? placed(raw, place) : raw
    return drawNode(id, node, old, place)
  })
  const { nodes: strangers, edges: strangeEdges, ...kept } = comparable(model.kept, 'value') as JsonObject
  const listed = (value: Json | undefined) => (Array.isArray(value) ? value : [])
  const drawing: JsonObject = {
    ...(known
      ? { nodes: [], edges: [], ...(known.viewport === undefined ? {} : { viewport: known.viewport }) }
      : {}),
    nodes: [...nodes, ...listed(strangers)],
    edges: [...edgesOf(model, catalog, known), ...listed(strangeEdges)],
    ...kept,
  }
  return { drawing, missing }

  function drawNode(id: string, node: TextNode, old: TextNode | undefined, place: TextPlace): JsonObject {
    const told = (path: string[]) => void missing.push({ nodeId: id, input: path[0] ?? '' })
    const inputs = withHidden(node.inputs, old && allTextInputs(old), told) as JsonObject
    const others = withHidden(node.kept.inputs ?? {}, old && allTextInputs(old), told) as JsonObject
    const data = withHidden(node.kept.data ?? {}, old?.kept.data, told) as JsonObject
    const raw = withHidden(node.kept.node ?? {}, old?.kept.node, told) as JsonObject
    const type = raw.type ?? usualType(node.node, data.category, catalog)
    return {
      id,
      type,
      position: { x: place[0], y: place[1] },
      ...sizeOf(place, type, node.node),
      ...(node.inside === undefined ? {} : { parentNode: node.inside, extent: 'parent' }),
      ...raw,
      data: dataOf(id, node, { ...others, ...inputs }, data),
    }
  }

  function dataOf(id: string, node: TextNode, inputs: JsonObject, more: JsonObject): JsonObject {
    const card = catalog.get(node.node)
    const isNote = node.node === NOTE
    const label = node.label ?? (isNote ? 'Note' : card?.label) ?? node.node
    const all: JsonObject = {}
    for (const [name, field] of Object.entries(card?.fields ?? {}))
      if (field.type !== 'credential' && !field.hidden) setMember(all, name, plainDefault(field.fallback))
    for (const [name, value] of Object.entries(inputs)) setMember(all, name, value)
    return {
      id,
      ...(card
        ? {
            ...drawFacts(card),
            label,
            inputParams: drawParams(card, id),
            inputAnchors: drawAnchors(card, id),
            outputAnchors: [outputAnchor(id, node, catalog)],
          }
        : { name: node.node, label, ...(isNote ? NOTE_FACTS : {}) }),
      inputs: all,
      outputs: node.output === undefined ? {} : { output: node.output },
      selected: false,
      ...(node.credential === undefined ? {} : { credential: node.credential }),
      ...more,
    }
  }
}

const NOTE_FACTS = { type: 'StickyNote', category: 'Utilities' }

function outputAnchor(id: string, node: TextNode, catalog: Catalog): JsonObject {
  const { name, type, baseClasses, kind } = catalog.get(node.node)!
  const output = kind === 'step' ? `${id}-output-${name}` : `${id}-output-${name}-${baseClasses.join('|')}`
  return { id: output, name, label: type, type: baseClasses.join(' | ') }
}

const sizeOf = (place: TextPlace, type: Json, name: string): JsonObject => {
  if (place.length === 4) return { width: place[2], height: place[3] }
  return isFrameType(type) && name !== NOTE ? { width: 420, height: 260 } : {}
}

/** A node that is drawn as before, at its place; within half a pixel it stays where it is. */
function placed(raw: JsonObject, place: TextPlace): JsonObject {
  const [x, y, width, height] = place
  const old = isObject(raw.position) ? raw.position : {}
  const isThere = (now: unknown, wanted: number | undefined) =>
    wanted === undefined || (typeof now === 'number' && Math.round(now) === wanted)
  const stands = isThere(old.x, x) && isThere(old.y, y)
  if (stands && isThere(raw.width, width) && isThere(raw.height, height)) return raw
  const { positionAbsolute: _, ...rest } = raw
  return {
    ...rest,
    ...(stands ? {} : { position: { x, y } }),
    ...(width === undefined ? {} : { width, height: height! }),
  }
}

/** The lines of a drawing: those that are drawn already, in their order, then the others. */
function edgesOf(model: FlowModel, catalog: Catalog, known: JsonObject | undefined): JsonObject[] {
  const wanted = new Map<string, TextLine>()
  const explicit = new Set(model.lines.map(({ from, to, input }) => [from, to, input].join('\n')))
  for (const line of model.lines) wanted.set(lineKey(line), line)
  for (const [to, node] of model.nodes)
    for (const [input, value] of Object.entries(allTextInputs(node)))
      if (isPlugInput(node.node, input, catalog))
        for (const from of pluggedInto(value))
          if (model.nodes.has(from) && !explicit.has([from, to, input].join('\n')))
            wanted.set(lineKey({ from, to, input }), { from, to, input })
  const drawn: JsonObject[] = []
  const before = new Map(known ? drawnNodes(known).nodes.map((node) => [node.id, node]) : [])
  for (const edge of Array.isArray(known?.edges) ? known.edges : []) {
    const line = describeLine(edge, before, () => undefined)
    const same = line === undefined || line === 'implied' ? undefined : wanted.get(lineKey(line))
    if (!same || !isSameLine(same, line as TextLine)) continue
    wanted.delete(lineKey(same))
    drawn.push(edge as JsonObject)
  }
  return [...drawn, ...[...wanted.values()].map((line) => drawLine(line, model.nodes, catalog))]
}

const isSameLine = (a: TextLine, b: TextLine): boolean =>
  isSameJson(comparable((a.more ?? {}) as TextObject), comparable((b.more ?? {}) as TextObject))

/** A text's flow as JSON for comparing, with the order of its nodes. */
function comparableModel({ nodes, lines, places, kept }: FlowModel): Json {
  return [
    [...nodes].map(([id, node]) => [id, comparable(node as TextObject)]),
    comparable(lines as unknown as TextObject[]),
    Object.fromEntries(places),
    comparable(kept),
  ]
}
