import type { JsonObject } from '../../kit/json.ts'

/** The five request tools of an agent that manages events in the event service, by the names of their nodes. */

const ID = { id: { type: 'string', in: 'path', required: true, description: 'id of the event' } }
const FIELDS = {
  name: { type: 'string', required: true, description: 'name of the event' },
  date: { type: 'string', required: true, description: 'ISO 8601, 2027-03-01T18:00:00Z' },
  location: { type: 'string', required: true, description: 'city and region' },
}

/** Inputs of the tools. @param events the address of the service, such as `http://127.0.0.1:5566` */
export function eventTools(events: string): [name: string, inputs: JsonObject][] {
  const url = `${events}/events`
  return [
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
}

const tool = (name: string, inputs: Record<string, string>): [string, JsonObject] => [
  name,
  Object.fromEntries(Object.entries(inputs).map(([input, value]) => [`${name}${input}`, value])),
]

export const EVENTS_PROMPT = 'You look after a list of events. Now it is {{ current_date_time }}.'
