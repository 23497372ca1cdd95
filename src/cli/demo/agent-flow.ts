import { EVENTS_PROMPT, eventTools } from '../../flow/templates/event-tools.ts'
import { instance } from '../../flow/templates/template.ts'
import type { JsonObject } from '../../kit/json.ts'

/** The model of the agent: one of OpenAI, or one at another address (`at`) with the same protocol. */
export type DemoModel = { name: string; at?: string; scripted?: true }

/** A tool agent over the event service: five request tools, a memory, a model. */
export function agentFlow(events: string, model: DemoModel): JsonObject {
  const tools = eventTools(events).map(([name, inputs]) => node(name, name, inputs))
  const nodes = [
    model.at === undefined
      ? node('model', 'chatOpenAI', { modelName: model.name, temperature: 0 })
      : node('model', 'chatOpenAICustom', {
          modelName: model.name,
          basepath: model.at,
          openAIApiKey: 'none',
        }),
    node('memory', 'bufferMemory', {}),
    ...tools,
    node('agent', 'toolAgent', {
      tools: tools.map(({ id }) => instance(id)),
      model: instance('model'),
      memory: instance('memory'),
      systemMessage: EVENTS_PROMPT,
    }),
  ]
  return { nodes, edges: [] }
}

const node = (id: string, name: string, inputs: JsonObject) => ({ id, data: { id, name, label: id, inputs } })
