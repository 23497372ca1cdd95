import { isObject, type Json, type JsonObject } from '../kit/json.ts'
import type { ChunkAnswer } from './chunk-report.ts'
import { Failure } from './failure.ts'
import { type Client, jsonBody } from './http.ts'

/** Asks a flow for chunks. @throws Failure */
export async function findChunks(
  client: Client,
  flow: string,
  request: JsonObject,
): Promise<Json & { docs: ChunkAnswer[] }> {
  const answer = await client.send('POST', `vector/query/${encodeURIComponent(flow)}`, jsonBody(request))
  if (!isObject(answer) || !Array.isArray(answer.docs))
    throw new Failure(`What answers at ${client.url.origin} does not answer queries as Sluice does`)
  return answer as Json & { docs: ChunkAnswer[] }
}
