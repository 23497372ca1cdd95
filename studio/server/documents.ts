import type { ChunkRemovalAnswer, SourceRestoreAnswer } from '../../src/api/source-removal.ts'
import type {
  ListedChunkAnswer,
  ListedChunkPage,
  SourceAnswer,
  SourceTextAnswer,
} from '../../src/api/source.ts'
import type { SourceQuestionsAnswer, SourceTraceAnswer } from '../../src/api/source-trace.ts'
import { addressOf, call, failureOf, report, ServerFailure } from './call.ts'

export type Source = SourceAnswer
export type Chunk = ListedChunkAnswer

const of = (kind: 'sources' | 'chunks' | 'upsert', flow: string) =>
  `/api/v1/vector/${kind}/${encodeURIComponent(flow)}`

export type SourceQuery = {
  search?: string | undefined
  sort?: 'name' | 'updated' | 'chunks' | 'size' | undefined
  order?: 'ASC' | 'DESC' | undefined
  /** Those that were removed and can be restored. */
  removed?: boolean | undefined
  page: number
  limit: number
}

export const listSources = (flow: string, query: SourceQuery): Promise<{ data: Source[]; total: number }> =>
  call(of('sources', flow), { query })

/** The chunks of a document by position. `around`: the id of a chunk that the page shall have. */
export const listChunks = (
  flow: string,
  query: {
    source: string
    /** `newest`, or an earlier one; without it the chunks are those of all versions. */
    version?: string | undefined
    search?: string | undefined
    around?: string | undefined
    /** A position in the text: the page is the one with the first chunk behind it. */
    at?: number | undefined
    page: number
    limit: number
  },
): Promise<ListedChunkPage> => call(of('chunks', flow), { query })

/** A part of the extracted text of a document, from a position on; lengths in UTF-16 code units. */
export const readSourceText = (
  flow: string,
  query: { source: string; version: string; start: number; length: number },
): Promise<SourceTextAnswer> => call(`${of('sources', flow)}/text`, { query })

/** Where the words of the newest version of a document went. */
export const readSourceTrace = (
  flow: string,
  query: { source: string; page: number; limit: number },
): Promise<SourceTraceAnswer> => call(`${of('sources', flow)}/trace`, { query })

/** Which questions of conversations have found which chunks of a document. */
export const readSourceQuestions = (
  flow: string,
  query: { source: string },
): Promise<SourceQuestionsAnswer> => call(`${of('sources', flow)}/questions`, { query })

/** The address of the file of a document, of a flow that keeps files. */
export const originalAddress = (flow: string, source: string): string =>
  addressOf(`${of('sources', flow)}/original`, { source })

/** The file of a document, of a flow that keeps files. @throws ServerFailure */
export async function readOriginal(flow: string, source: string, signal: AbortSignal): Promise<ArrayBuffer> {
  let response: Response
  try {
    response = await fetch(originalAddress(flow, source), { signal })
  } catch {
    if (!signal.aborted) report('no-answer')
    throw new ServerFailure(0, 'no_answer', 'The server does not answer')
  }
  if (response.status === 401) report('signed-out')
  if (!response.ok) throw failureOf(response.status, await response.text())
  return response.arrayBuffer()
}

/** Whether a flow has no store that could have documents. */
export const isWithoutStore = (error: unknown): boolean =>
  error instanceof ServerFailure && error.code === 'flow_cannot_query'

/** Removes documents; they can be restored until the moment in the answer. */
export const removeSources = (flow: string, sources: string[]): Promise<ChunkRemovalAnswer> =>
  call(of('upsert', flow), { method: 'DELETE', body: { sources } })

export const restoreSources = (flow: string, sources: string[]): Promise<SourceRestoreAnswer> =>
  call(`${of('sources', flow)}/restore`, { method: 'POST', body: { sources } })
