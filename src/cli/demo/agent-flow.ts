import type { JsonObject } from '../../kit/json.ts'

const ID = { id: { type: 'string', in: 'path', required: true, description: 'id of the event' } }
const FIELDS = {
  name: { type: 'string', required: true, description: 'name of the event' },
  date: { type: 'string', required: true, description: 'ISO 8601, 2027-03-01T18:00:00Z' },
  location: { type: 'string', required: true, description: 'city and region' },
}

const instance = (id: string) => `{{${id}.data.instance}}`

/** Which model the agent thinks with: one of OpenAI, or one that speaks its protocol `at` an address. */
export type DemoModel = { name: string; at?: string; scripted?: true }

/** A tool agent over the event service: five request tools, a memory, a model. */
export function agentFlow(events: string, model: DemoModel): JsonObject {
  const url = `${events}/events`
  const nodes = [
    model.at === undefined
      ? node('model', 'chatOpenAI', { modelName: model.name, temperature: 0 })
      : node('model', 'chatOpenAICustom', {
          modelName: model.name,
          basepath: model.at,
          openAIApiKey: 'none',
        }),
    node('memory', 'bufferMemory', {}),
    tool('requestsGet', { Url: url, Name: 'get_events', Description: 'Reads all events' }),
    tool('requestsPost', {
      Url: url,
      Name: 'create_event',
      Description: 'Creates an event',
      BodySchema: JSON.stringify(FIELDS),
    }),
    tool('requestsPut', {
      Url: url,
      Name: 'update_event',
      Description: 'Replaces an event',
      BodySchema: JSON.stringify({
        id: { type: 'string', required: true, description: 'id of the event' },
        ...FIELDS,
      }),
    }),
    tool('requestsPatch', {
      Url: `${url}/:id`,
      Name: 'change_event',
      Description: 'Changes an event; all three fields are needed',
      QueryParamsSchema: JSON.stringify(ID),
      BodySchema: JSON.stringify(FIELDS),
    }),
    tool('requestsDelete', {
      Url: url,
      Name: 'delete_event',
      Description: 'Deletes an event',
      QueryParamsSchema: JSON.stringify(ID),
    }),
  ]
  const tools = nodes.flatMap(({ id }) => (id.startsWith('requests') ? [instance(id)] : []))
  nodes.push(
    node('agent', 'toolAgent', {
      tools,
      model: instance('model'),
      memory: instance('memory'),
      systemMessage: 'You look after a list of events. Now it is {{ current_date_time }}.',
    }),
  )
  return { nodes, edges: [] }
}

const node = (id: string, name: string, inputs: JsonObject) => ({ id, data: { id, name, label: id, inputs } })

const tool = (name: string, inputs: Record<string, string>) =>
  node(
    name,
    name,
    Object.fromEntries(Object.entries(inputs).map(([input, value]) => [`${name}${input}`, value])),
  )
