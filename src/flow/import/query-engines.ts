import { isObject, type JsonObject } from '../../kit/json.ts'
import { written } from '../graph.ts'
import { type Drawing, edgesOf, nodePluggedInto } from './edges.ts'

/**
 * Gives each query engine of LlamaIndex the model of its store, and the prompt of the node that writes its answer. There an engine has
 * neither itself; the chain that it becomes here has both.
 */
export function giveEnginesTheirParts(drawing: Drawing): void {
  const nodes = new Map(
    drawing.nodes.flatMap((node): [string, JsonObject][] =>
      isObject(node) && isObject(node.data)
        ? [[written(node.id ?? node.data.id), node.data as JsonObject]]
        : [],
    ),
  )
  const moved = new Set<string>()
  for (const [id, data] of nodes) {
    if (data.name !== 'queryEngine' || !isObject(data.inputs)) continue
    const inputs = data.inputs as JsonObject
    const plugged = (node: string | undefined, input: string) =>
      node === undefined ? undefined : nodePluggedInto(nodes.get(node) ?? {}, input, node, edgesOf(drawing))
    const store = plugged(id, 'vectorStoreRetriever')
    const model = plugged(store, 'model')
    if (store !== undefined && model !== undefined && plugged(id, 'model') === undefined) {
      moved.add(store)
      inputs.model = `{{${model}.data.instance}}`
      addModelEdge(drawing, { model, store, engine: id })
    }
    const prompt = promptOf(nodes.get(plugged(id, 'responseSynthesizer') ?? ''))
    if (prompt !== undefined && !inputs.responsePrompt) inputs.responsePrompt = prompt
  }
  for (const store of moved) {
    delete (nodes.get(store)!.inputs as JsonObject | undefined)?.model
    drawing.edges = edgesOf(drawing).filter((edge) => !isModelEdge(edge, store))
  }
}

const isModelEdge = ({ target, targetHandle }: JsonObject, store: string): boolean =>
  target === store && written(targetHandle).startsWith(`${store}-input-model-`)

function addModelEdge(
  drawing: Drawing,
  { model, store, engine }: { model: string; store: string; engine: string },
): void {
  const edges = edgesOf(drawing)
  const before = edges.find((edge) => isModelEdge(edge, store))
  if (!before) return
  const targetHandle = `${engine}-input-model-BaseChatModel`
  drawing.edges = [
    ...edges,
    {
      ...before,
      target: engine,
      targetHandle,
      id: `${model}-${written(before.sourceHandle)}-${targetHandle}`,
    },
  ]
}

/** The prompt of a response synthesizer, with the question as a variable of this server. */
function promptOf(data: JsonObject | undefined): string | undefined {
  const { textQAPrompt, prompt = textQAPrompt } = isObject(data?.inputs) ? (data.inputs as JsonObject) : {}
  return typeof prompt === 'string' && prompt.trim() !== ''
    ? prompt.replaceAll('{query}', '{{question}}')
    : undefined
}
