import type { Json, JsonObject } from '../../../drawing/flow-file.ts'

/** The requests that samples are written for. */
export const REQUEST_KINDS = ['upsert-files', 'upsert-json', 'query', 'ask', 'ask-streamed'] as const
export type RequestKind = (typeof REQUEST_KINDS)[number]

export const LANGUAGES = ['curl', 'python', 'javascript'] as const
export type Language = (typeof LANGUAGES)[number]

/** One request, from which samples are written and which can be sent. */
export type SampleRequest = {
  kind: RequestKind
  /** The address of the server: `http://127.0.0.1:3000`. */
  origin: string
  /** The slug of the flow. */
  flow: string
  /** Whether the flow needs a key. The samples read it from the environment variable SLUICE_KEY. */
  needsKey: boolean
  question: string
  /** Paths of files; only for `upsert-files`. */
  files: readonly string[]
  /** The vector store to load or to search, where the flow has several. */
  stopNodeId: string | undefined
  overrides: JsonObject
}

export const isForm = ({ kind }: SampleRequest): boolean => kind === 'upsert-files'

/** The path of the route. */
export function pathOf({ kind, flow }: SampleRequest): string {
  const route = kind === 'query' ? 'vector/query' : kind.startsWith('ask') ? 'prediction' : 'vector/upsert'
  return `/api/v1/${route}/${encodeURIComponent(flow)}`
}

/** The body of a request with JSON. */
export function jsonBodyOf({ kind, question, overrides, stopNodeId }: SampleRequest): JsonObject {
  return {
    ...(kind === 'query' ? { query: question } : kind.startsWith('ask') ? { question } : {}),
    ...(kind === 'ask-streamed' ? { streaming: true } : {}),
    ...(stopNodeId === undefined || kind.startsWith('ask') ? {} : { stopNodeId }),
    ...(Object.keys(overrides).length === 0 ? {} : { overrideConfig: overrides }),
  }
}

/** The fields of a form besides its files; `chunkSize[splitter_0]` is for one node. */
export function formFieldsOf(
  { overrides, stopNodeId }: SampleRequest,
  nodeIds: ReadonlySet<string>,
): [string, string][] {
  const fields = Object.entries(overrides).flatMap(([name, value]): [string, string][] =>
    isPerNode(value, nodeIds)
      ? Object.entries(value).map(([id, own]) => [`${name}[${id}]`, fieldText(own)])
      : [[name, fieldText(value)]],
  )
  return [...(stopNodeId === undefined ? [] : [['stopNodeId', stopNodeId] as [string, string]]), ...fields]
}

/** Whether a value is a map with a value for each node. */
const isPerNode = (value: Json, nodeIds: ReadonlySet<string>): value is JsonObject =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.keys(value).some((key) => nodeIds.has(key))

const fieldText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))
