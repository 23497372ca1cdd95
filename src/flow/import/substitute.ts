import type { JsonObject } from '../../kit/json.ts'
import { isObject } from '../../kit/json.ts'
import type { Catalog } from '../catalog.ts'
import { drawAnchors, drawFacts, drawParams } from '../draw-card.ts'
import { written } from '../graph.ts'

/** Nodes of others that one of ours does the work of: stores that are in a process or a folder become this server's own. */
const SUBSTITUTES: Readonly<Record<string, string>> = {
  memoryVectorStore: 'builtInVectorStore',
  faiss: 'builtInVectorStore',
}

/** Which node stands in for one of this name, if one does. */
export const substituteFor = (name: unknown): string | undefined =>
  typeof name === 'string' && Object.hasOwn(SUBSTITUTES, name) ? SUBSTITUTES[name] : undefined

/** Makes the data of a node that of its substitute; the label stays, people know the node by it. */
export function dressAs(data: JsonObject, name: string, catalog: Catalog): void {
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
