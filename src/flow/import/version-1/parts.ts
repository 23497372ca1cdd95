import type { JsonObject } from '../../../kit/json.ts'
import { pluggedInto, written } from '../../graph.ts'
import type { Context } from './context.ts'
import { type OldNode, pluggedNodes } from './old-drawing.ts'
import { Untranslatable } from './untranslatable.ts'

/** A part within a step: its name, and its inputs with the credential. */
type Chosen = { name: string; inputs: JsonObject }

/** The model of a node, or that of the Start node or the supervisor. @throws Untranslatable without both */
export function modelOf(node: OldNode, { old, draft, startModel }: Context, id: string): Chosen {
  const model = pluggedNodes(old, node, 'model')[0] ?? startModel
  if (!model)
    throw new Untranslatable('model', 'it has no chat model, nor has the first node', 'Plug in a chat model')
  const leaveOut = (input: string, part: string) =>
    draft.say({ id, label: node.label }, 'dropped', `${part} of ${model.label} is left out`, { input })
  return { name: model.name, inputs: ownInputs(model, [], old.nodes, leaveOut) }
}

/** The inputs of a node without what plugs in. */
function ownInputs(
  { inputs }: OldNode,
  handled: readonly string[],
  nodes: ReadonlyMap<string, OldNode>,
  leaveOut: (input: string, plugged: string) => void,
): JsonObject {
  const kept: [string, unknown][] = []
  for (const [input, value] of Object.entries(inputs)) {
    const plugged = pluggedInto(value)
    if (plugged.length === 0 && !(Array.isArray(value) && value.length === 0)) kept.push([input, value])
    else if (!handled.includes(input)) for (const id of plugged) leaveOut(input, nodes.get(id)?.label ?? id)
  }
  return Object.fromEntries(kept) as JsonObject
}

/** The inputs of an Agent step with the tools of a node. */
export type ToolInputs = {
  agentTools: JsonObject[]
  agentKnowledgeVSEmbeddings: JsonObject[]
  agentKnowledgeDocumentStores: JsonObject[]
}

/**
 * The tools of a node as those of an Agent step. A retriever tool becomes a store that the step searches.
 *
 * @param asks whether a person must approve each call
 * @throws Untranslatable for a tool that other nodes plug into
 */
export function toolsOf(node: OldNode, asks: boolean, context: Context, id: string): ToolInputs {
  const found: ToolInputs = {
    agentTools: [],
    agentKnowledgeVSEmbeddings: [],
    agentKnowledgeDocumentStores: [],
  }
  for (const tool of pluggedNodes(context.old, node, 'tools'))
    if (tool.name === 'retrieverTool') addKnowledge(found, tool, { node, asks, id }, context)
    else found.agentTools.push(toolRow(tool, asks, context))
  return found
}

function toolRow(tool: OldNode, asks: boolean, { old }: Context): JsonObject {
  const config = ownInputs(tool, [], old.nodes, (input, plugged) => {
    throw new Untranslatable(
      'tools',
      `${plugged} plugs into ${tool.label} (${input}), and a tool of a step has no plugs`,
      'Put it into a flow of its own and call it with executeFlowAgentflow',
    )
  })
  return {
    agentSelectedTool: tool.name,
    agentSelectedToolConfig: config,
    agentSelectedToolRequiresHumanInput: asks,
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value.trim() : (JSON.stringify(value) ?? ''))

function addKnowledge(
  found: ToolInputs,
  tool: OldNode,
  { node, asks, id }: { node: OldNode; asks: boolean; id: string },
  { old, draft }: Context,
): void {
  const refusal = (reason: string, instead: string) =>
    new Untranslatable('tools', `${tool.label}: ${reason}`, instead)
  const [store] = pluggedNodes(old, tool, 'retriever')
  if (!store) throw refusal('no store plugs into it', 'Plug in a vector store')
  if (!['', '{}', 'null'].includes(textOf(tool.inputs.retrieverToolMetadataFilter)))
    throw refusal('its metadata filter', 'Write the filter into the vector store')
  const shared = {
    returnSourceDocuments: tool.inputs.returnSourceDocuments === true,
    requiresHumanInput: asks,
  }
  const described = written(tool.inputs.description)
  if (store.name === 'documentStoreVS') {
    found.agentKnowledgeDocumentStores.push({
      documentStore: `${written(store.inputs.selectedStore)}:${written(tool.inputs.name)}`,
      docStoreDescription: described,
      ...shared,
    })
    return
  }
  const [embedder] = pluggedNodes(old, store, 'embeddings')
  if (!embedder)
    throw refusal(
      `${store.label} (${store.name}) has no embeddings of its own, and a step searches a store with an embedder`,
      'Plug the vector store in itself, without a retriever between',
    )
  const leaveOut = (input: string, plugged: string) =>
    draft.say(
      { id, label: node.label },
      'dropped',
      `${plugged} is not loaded into ${store.label} (${input})`,
      {
        input: 'agentKnowledgeVSEmbeddings',
        instead: 'Make a chat flow with the loader and the store, and name it in Knowledge (Document Stores)',
      },
    )
  if (store.name === 'memoryVectorStore' || store.name === 'faiss')
    draft.say({ id, label: node.label }, 'changed', `The store of ${tool.label} is empty here`, {
      input: 'agentKnowledgeVSEmbeddings',
      instead: 'Load the documents into a chat flow, and name it in Knowledge (Document Stores)',
    })
  found.agentKnowledgeVSEmbeddings.push({
    vectorStore: store.name,
    vectorStoreConfig: ownInputs(store, ['embeddings'], old.nodes, leaveOut),
    embeddingModel: embedder.name,
    embeddingModelConfig: ownInputs(embedder, [], old.nodes, leaveOut),
    knowledgeName: written(tool.inputs.name),
    knowledgeDescription: described,
    ...shared,
  })
}
