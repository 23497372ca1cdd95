import type { ChunkAnswer } from '../api/query.ts'
import { isObject, type Json, type JsonObject } from '../kit/json.ts'
import { Failure } from './failure.ts'
import { type Client, jsonBody } from './http.ts'

type Found = Json & { docs: ChunkAnswer[] }

/**
 * Asks a flow for chunks. What is printed is checked here, not by the shape: `sluice query` would take 27 ms longer to
 * load it, a third of its time.
 *
 * @throws Failure
 */
export async function findChunks(client: Client, flow: string, request: JsonObject): Promise<Found> {
  const answer = await client.send('POST', `vector/query/${encodeURIComponent(flow)}`, jsonBody(request))
  if (isFound(answer)) return answer
  throw new Failure(`What answers at ${client.url.origin} does not answer queries as Sluice does`)
}

const isFound = (answer: Json): answer is Found =>
  isObject(answer) &&
  Array.isArray(answer.docs) &&
  answer.docs.every((chunk: unknown) => isObject(chunk) && typeof chunk.pageContent === 'string')
