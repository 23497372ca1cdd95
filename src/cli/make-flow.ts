import type { ChangedFlow } from '../api/flow-settings.ts'
import type { JsonObject } from '../kit/json.ts'
import { flowPath, readSavedFlow } from './flow-answer.ts'
import { sendSettings } from './flow-settings.ts'
import { type Client, jsonBody } from './http.ts'

/**
 * Makes a flow and changes its settings. When a setting is refused, the flow is removed again.
 *
 * @param body of `POST chatflows`
 * @throws ServerRefusal
 */
export async function makeFlow(
  client: Client,
  body: JsonObject,
  wanted: Record<string, string>,
): Promise<ChangedFlow> {
  const flow = await readSavedFlow(client.send('POST', 'chatflows', jsonBody(body)))
  if (Object.keys(wanted).length === 0) return { flow, changes: [] }
  try {
    return await sendSettings(client, flow.id, wanted)
  } catch (error) {
    await client.send('DELETE', flowPath(flow.id))
    throw error
  }
}
