import type { ExpectedAnswer } from '../api/expected.ts'
import type { ChunkAnswer } from '../api/hit.ts'
import type { QueryAnswer } from '../api/query-answer.ts'
import { isObject, type Json, type JsonObject } from '../kit/json.ts'
import { Failure } from './failure.ts'
import { type Client, jsonBody } from './http.ts'

/**
 * `readings`: words of the question that no chunk has, with the words that were searched too. `unlikely`: probably none of the
 * chunks answers. `expected`: what became of the document or chunk that the request expects. With `explain`, `explanation`: the
 * settings that were used, and `below`: what came after the last chunk.
 */
type Found = Json & {
  docs: ChunkAnswer[]
  readings?: { word: string; readAs: string[] }[]
  unlikely?: true
  expected?: ExpectedAnswer
  explanation?: { settings: { mode: string } }
  below?: NonNullable<QueryAnswer['below']>
}

/**
 * Queries a flow. Only the fields that are printed are checked, without the shape of `src/api/`: loading zod takes 27 ms, a
 * third of the time of `sluice query`.
 *
 * @throws Failure
 */
export async function findChunks(client: Client, flow: string, request: JsonObject): Promise<Found> {
  const answer = await client.send('POST', `vector/query/${encodeURIComponent(flow)}`, jsonBody(request))
  if (isFound(answer)) return answer
  throw new Failure(
    `The answer of ${client.url.origin} is not an answer to a query: it may not be a Sluice server`,
  )
}

const isFound = (answer: Json): answer is Found =>
  isObject(answer) &&
  Array.isArray(answer.docs) &&
  answer.docs.every((chunk: unknown) => isObject(chunk) && typeof chunk.pageContent === 'string') &&
  (answer.unlikely === undefined || answer.unlikely === true) &&
  (answer.expected === undefined || isExpected(answer.expected)) &&
  (answer.explanation === undefined ||
    (isObject(answer.explanation) && isObject(answer.explanation.settings))) &&
  (answer.below === undefined || (Array.isArray(answer.below) && answer.below.every(isBelow))) &&
  (answer.readings === undefined || (Array.isArray(answer.readings) && answer.readings.every(isReading)))

const isExpected = (expected: unknown) =>
  isObject(expected) &&
  typeof expected.reason === 'string' &&
  [expected.measured, expected.untold].every((list) => Array.isArray(list))

const isBelow = (chunk: unknown) => isObject(chunk) && typeof chunk.score === 'number'

const isReading = (reading: unknown) =>
  isObject(reading) && typeof reading.word === 'string' && Array.isArray(reading.readAs)
