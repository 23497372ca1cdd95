import type { StorePart } from '../../contract/card.ts'
import type { Knowledge } from '../../contract/step.ts'
import type { Tool } from '../../contract/tool.ts'
import { planQuery } from '../../flow/plan.ts'
import { SluiceError } from '../../kit/errors.ts'
import type { AgentHouse } from '../house.ts'
import type { StepContext } from './step-context.ts'

/** A store that a model may look something up in, as a tool. */
export async function knowledgeTool(knowledge: Knowledge, { house, parts }: StepContext): Promise<Tool> {
  const { name, description, from, returnSourceDocuments } = knowledge
  const store =
    'flow' in from
      ? await storeOfFlow(from.flow, house)
      : parts.make('vectorStore', from.store, { embeddings: from.embedder })
  return {
    name: toolName(name),
    description: description || `Finds what ${name} says about something.`,
    parameters: {
      type: 'object',
      properties: { input: { type: 'string', description: 'What to look for, in words' } },
      required: ['input'],
      additionalProperties: false,
    },
    async call({ input }, signal) {
      const documents = await house.lent.retrieve(store, String(input), {}, signal)
      const output = documents.map(({ pageContent }) => pageContent).join('\n\n')
      return {
        output: output === '' ? 'Nothing was found.' : output,
        ...(returnSourceDocuments ? { documents } : {}),
      }
    },
  }
}

/** The store of another flow of this server. @throws SluiceError `flow_cannot_answer`, `flow_cannot_query` */
export async function storeOfFlow(id: string, { catalog, lent, findFlow }: AgentHouse): Promise<StorePart> {
  const flow = await findFlow(id)
  if (!flow)
    throw new SluiceError('flow_cannot_answer', {
      reason: `it looks into the store of the flow ${id || '(none)'}, which is not there`,
      hint: 'Name a flow of this server that holds documents, by its id or slug',
    })
  return planQuery(flow, catalog, lent, {}).part
}

/** A name that providers take. */
const toolName = (name: string) =>
  name
    .normalize('NFKD')
    .replace(/[^a-zA-Z0-9_-]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 64) || 'knowledge'
