import { type Counter, createMetrics, type Histogram, SECONDS } from '../kit/metrics.ts'

/** What became of a chunk in an upsert, and the field of the result that counts it. */
export const CHUNK_OUTCOMES = {
  added: 'numAdded',
  updated: 'numUpdated',
  skipped: 'numSkipped',
  deleted: 'numDeleted',
} as const

/** The metrics that the parts of the server count. Labels are names of this program, never names or texts of users. */
export type PlatformMetrics = {
  /** Method, route and status of a request. */
  requests: Histogram
  /** Kind and state of an ended job. */
  jobs: Histogram
  chunks: Counter
  failedFiles: Counter
  embeddings: Histogram
  embeddedTexts: Counter
  embeddedTokens: Counter
  embeddingFailures: Counter
  modelCalls: Histogram
  modelTokens: Counter
  modelFailures: Counter
  toolCalls: Histogram
  queries: Histogram
  outgoing: Histogram
  /** What there was too much of. */
  shed: Counter
}

/** The metrics of a server, all still at zero, and their text. */
export function createPlatformMetrics() {
  const metrics = createMetrics()
  const seconds = (name: string, help: string, labels: readonly string[]) =>
    metrics.histogram({ name: `sluice_${name}_duration_seconds`, help, labels }, SECONDS)
  const total = (
    name: string,
    help: string,
    labels: readonly string[] = [],
    initial: readonly string[] = [],
  ) =>
    metrics.counter({
      name: `sluice_${name}_total`,
      help,
      labels,
      initial: initial.map((value) => [value]),
    })
  const counted: PlatformMetrics = {
    requests: seconds('http_request', 'Requests over HTTP, until the end of the answer', [
      'method',
      'route',
      'status',
    ]),
    jobs: seconds('job', 'Jobs, from their start to their end', ['kind', 'state']),
    chunks: total('upsert_chunks', 'Chunks of upserts', ['outcome'], Object.keys(CHUNK_OUTCOMES)),
    failedFiles: total('upsert_files_failed', 'Files, pages and tables that an upsert could not read'),
    embeddings: seconds('embedding', 'Calls of embedders, each with one or more texts', ['provider']),
    embeddedTexts: total('embedding_texts', 'Texts given to embedders', ['provider']),
    embeddedTokens: total('embedding_tokens', 'Tokens of embedded texts, by embedders that count them', [
      'provider',
    ]),
    embeddingFailures: total('embedding_failures', 'Calls of embedders that failed', ['provider', 'code']),
    modelCalls: seconds('model_call', 'Calls of chat models, until the end of the answer', ['provider']),
    modelTokens: total('model_tokens', 'Tokens of chat models, by models that count them', [
      'provider',
      'direction',
    ]),
    modelFailures: total('model_failures', 'Calls of chat models that failed', ['provider', 'code']),
    toolCalls: seconds('tool_call', 'Calls of tools by agents', ['outcome']),
    queries: seconds('query', 'Searches of queries, retrievers and tools', ['mode']),
    outgoing: seconds('outgoing_request', 'Calls to other servers, until the headers of the answer', [
      'outcome',
    ]),
    shed: total(
      'requests_shed',
      'Requests that were refused because there were too many',
      ['reason'],
      ['requests', 'key', 'connections', 'body_memory', 'jobs'],
    ),
  }
  return { ...counted, read: metrics.read, text: metrics.text }
}
