import type { z } from 'zod'
import type { DroppedAnswer } from '../api/dropped.ts'
import type { SourceAnswer } from '../api/source.ts'
import { didYouMean } from '../kit/suggest.ts'
import { Failure } from './failure.ts'
import { type Client, jsonBody } from './http.ts'
import { type LoadShape, readAnswer } from './read-answer.ts'

/** The most rows of one answer. */
const PAGE = 1000

type Page<R> = z.ZodType<{ data: R[]; total: number }>

/** Yields all rows of a list, page by page. */
async function* allRows<R>(
  client: Client,
  path: string,
  load: LoadShape<Page<R>>,
  expected: string,
): AsyncGenerator<R> {
  for (let page = 1; ; page++) {
    const answer = client.send('GET', `${path}${path.includes('?') ? '&' : '?'}limit=${PAGE}&page=${page}`)
    const { data } = await readAnswer(answer, load, expected)
    yield* data
    if (data.length < PAGE) return
  }
}

export async function fetchSources(client: Client, flow: string): Promise<SourceAnswer[]> {
  const found: SourceAnswer[] = []
  const path = `vector/sources/${encodeURIComponent(flow)}`
  const load = async () => (await import('../api/source.ts')).sourcePage
  for await (const source of allRows(client, path, load, 'a list of sources')) found.push(source)
  return found
}

/** The chunks of a source, in order. */
export const fetchChunks = (client: Client, flow: string, source: string) =>
  allRows(
    client,
    `vector/chunks/${encodeURIComponent(flow)}?source=${encodeURIComponent(source)}`,
    async () => (await import('../api/source.ts')).chunkPage,
    'a list of chunks',
  )

/** What was left out of the newest version of a source; nothing where that is not known. */
export async function fetchDropped(client: Client, flow: string, source: string): Promise<DroppedAnswer[]> {
  const path = `vector/sources/${encodeURIComponent(flow)}/text?length=1&source=${encodeURIComponent(source)}`
  const { dropped } = await readAnswer(
    client.send('GET', path),
    async () => (await import('../api/source.ts')).sourceText,
    'the text of a source',
  )
  return dropped ?? []
}

/** The most sources that one request removes. */
const AT_ONCE = 10_000

/** Removes sources, up to 10,000 in one transaction. @returns the number of removed chunks */
export async function removeSources(
  client: Client,
  flow: string,
  sources: string[],
  permanent = false,
): Promise<number> {
  const path = `vector/upsert/${encodeURIComponent(flow)}`
  let removed = 0
  for (let at = 0; at < sources.length; at += AT_ONCE) {
    const request = jsonBody({ sources: sources.slice(at, at + AT_ONCE), permanent })
    const { numDeleted } = await readAnswer(
      client.send('DELETE', path, request),
      async () => (await import('../api/source-removal.ts')).chunkRemoval,
      'a count of removed chunks',
    )
    removed += numDeleted
  }
  return removed
}

/** Restores removed sources. @returns the number of restored sources and chunks */
export async function restoreSources(
  client: Client,
  flow: string,
  sources: string[],
): Promise<{ sources: number; chunks: number }> {
  const path = `vector/sources/${encodeURIComponent(flow)}/restore`
  const answer = await readAnswer(
    client.send('POST', path, jsonBody({ sources })),
    async () => (await import('../api/source-removal.ts')).sourceRestore,
    'the restored sources',
  )
  return { sources: answer.sources.length, chunks: answer.numRestored }
}

/** @throws Failure with the most similar name, for a source that the flow does not have */
export function mustHold(given: readonly string[], held: readonly SourceAnswer[], flow: string): void {
  const names = new Set(held.map(({ source }) => source))
  const missing = given.find((name) => !names.has(name))
  if (missing === undefined) return
  throw new Failure(
    `The flow ${flow} has no source ${missing}`,
    didYouMean(missing, names, `sluice source list ${flow} lists them`),
  )
}
