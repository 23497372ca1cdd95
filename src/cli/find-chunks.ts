import type { ChunkAnswer } from '../api/query.ts'
import type { Json, JsonObject } from '../kit/json.ts'
import { type Client, jsonBody } from './http.ts'
import { readAnswer } from './read-answer.ts'

/** Asks a flow for chunks. @throws Failure */
export const findChunks = (
  client: Client,
  flow: string,
  request: JsonObject,
): Promise<Json & { docs: ChunkAnswer[] }> =>
  readAnswer(
    client.send('POST', `vector/query/${encodeURIComponent(flow)}`, jsonBody(request)),
    async () => (await import('../api/query.ts')).foundChunks,
    `one to a query: is ${client.url.origin} a Sluice server?`,
  )
