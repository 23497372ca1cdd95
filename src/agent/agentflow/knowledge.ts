import type { StorePart } from '../../contract/card.ts'
import type { KnowledgeSource } from '../../contract/step.ts'
import type { Tool } from '../../contract/tool.ts'
import { planRetrieval } from '../../flow/plan-store.ts'
import { variableValues } from '../../flow/variables.ts'
import { SluiceError } from '../../kit/errors.ts'
import { sanitiseToolName } from '../../tools/sanitise-tool-name.ts'
import { searchTool } from '../../tools/search-tool.ts'
import type { AgentRuntime } from '../runtime.ts'
import type { StepContext } from './step-context.ts'

/** A tool that searches a vector store. */
export async function knowledgeTool(
  knowledge: KnowledgeSource,
  { runtime, parts }: StepContext,
): Promise<Tool> {
  const { name, description, from, returnSourceDocuments } = knowledge
  const store =
    'flow' in from
      ? await storeOfFlow(from.flow, runtime)
      : parts.make('vectorStore', from.store, { embeddings: from.embedder })
  return searchTool({
    name: sanitiseToolName(name, 'knowledge'),
    description: description || `Searches ${name} and returns the passages that match`,
    returnSourceDocuments,
    search: (query, signal) => runtime.nodeServices.retrieve(store, query, {}, signal),
  })
}

/** The store of another flow of this server. @throws SluiceError `flow_cannot_answer`, `flow_cannot_query` */
export async function storeOfFlow(id: string, runtime: AgentRuntime): Promise<StorePart> {
  const flow = await runtime.findFlow(id)
  if (!flow)
    throw new SluiceError('flow_cannot_answer', {
      reason: `it uses the store of the flow ${id || '(none)'}, which does not exist`,
      hint: 'Name a flow of this server that holds documents, by its id or slug',
    })
  const variables = await variableValues(runtime.variables, runtime.environment)
  return planRetrieval(runtime, flow, { overrides: {}, variables }).part
}
