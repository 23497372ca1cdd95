import { isObject, type JsonObject } from '../../kit/json.ts'
import type { Catalog } from '../catalog.ts'
import { drawAnchors, drawFacts, drawParams } from '../draw-card.ts'
import { written } from '../graph.ts'

/** Flowise nodes with a substitute here: stores in a process or a folder become the built-in store. */
const SUBSTITUTES: Readonly<Record<string, string>> = {
  memoryVectorStore: 'builtInVectorStore',
  faiss: 'builtInVectorStore',
}

/** The substitute of a node name, if there is one. */
export const substituteFor = (name: unknown): string | undefined =>
  typeof name === 'string' && Object.hasOwn(SUBSTITUTES, name) ? SUBSTITUTES[name] : undefined

/** Changes the data of a node into that of its substitute. The label stays, since users know the node by it. */
export function replaceNode(data: JsonObject, name: string, catalog: Catalog): void {
  const card = catalog.get(name)!
  const id = written(data.id)
  const known = [...Object.keys(card.fields), ...Object.keys(card.anchors)]
  const inputs = isObject(data.inputs) ? (data.inputs as JsonObject) : {}
  Object.assign(data, drawFacts(card), {
    ...(typeof data.label === 'string' ? { label: data.label } : {}),
    inputParams: drawParams(card, id),
    inputAnchors: drawAnchors(card, id),
    inputs: Object.fromEntries(Object.entries(inputs).filter(([input]) => known.includes(input))),
  })
}
