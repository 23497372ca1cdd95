import { isObject, type Json } from '../kit/json.ts'
import { didYouMean } from '../kit/suggest.ts'
import type { ChunkAnswer } from './chunk-report.ts'
import { Failure } from './failure.ts'
import { type Client, jsonBody } from './http.ts'
import { rowsOf } from './rows.ts'

export type SourceAnswer = { source: string; chunks: number; updatedAt: string }

/** As many as one answer gives. */
const PAGE = 1000

/** Every row of a list of ours, page after page. */
async function* allRows(client: Client, path: string): AsyncGenerator<Json> {
  for (let page = 1; ; page++) {
    const rows = rowsOf(
      await client.send('GET', `${path}${path.includes('?') ? '&' : '?'}limit=${PAGE}&page=${page}`),
    )
    yield* rows
    if (rows.length < PAGE) return
  }
}

export async function fetchSources(client: Client, flow: string): Promise<SourceAnswer[]> {
  const rows: Json[] = []
  for await (const row of allRows(client, `vector/sources/${encodeURIComponent(flow)}`)) rows.push(row)
  return rows as SourceAnswer[]
}

/** The chunks of a source in order, as they come. */
export const fetchChunks = (client: Client, flow: string, source: string): AsyncGenerator<ChunkAnswer> =>
  allRows(
    client,
    `vector/chunks/${encodeURIComponent(flow)}?source=${encodeURIComponent(source)}`,
  ) as unknown as AsyncGenerator<ChunkAnswer>

/** As many sources as one request removes. */
const AT_ONCE = 10_000

/** Removes sources, up to 10,000 in one moment; answers how many chunks went. */
export async function removeSources(client: Client, flow: string, sources: string[]): Promise<number> {
  const path = `vector/upsert/${encodeURIComponent(flow)}`
  let removed = 0
  for (let at = 0; at < sources.length; at += AT_ONCE) {
    const answer = await client.send('DELETE', path, jsonBody({ sources: sources.slice(at, at + AT_ONCE) }))
    if (!isObject(answer) || typeof answer.numDeleted !== 'number')
      throw new Failure('The server’s answer tells no count of what was removed')
    removed += answer.numDeleted
  }
  return removed
}

/** @throws Failure with the nearest name for a source that the flow does not hold */
export function mustHold(given: readonly string[], held: readonly SourceAnswer[], flow: string): void {
  const names = new Set(held.map(({ source }) => source))
  const missing = given.find((name) => !names.has(name))
  if (missing === undefined) return
  throw new Failure(
    `The flow ${flow} holds no source ${missing}`,
    didYouMean(missing, names, `sluice source list ${flow} lists them`),
  )
}
