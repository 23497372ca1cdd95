import type { Embedder } from '../contract/embedder.ts'
import type { Egress, EgressFetch } from '../kit/egress/client.ts'
import { isObject, type Json, type JsonObject, parseJson } from '../kit/json.ts'
import { modelId, readBaseURL } from '../kit/provider/base-url.ts'
import { withoutPages } from '../kit/provider/no-pages.ts'
import { answerBytes } from './answer-bytes.ts'
import type { BatchLimits } from './batches.ts'
import { type EmbeddingModel, providerEmbedder } from './provider-embedder.ts'
import { RefusedAnswer } from '../kit/provider/refused-answer.ts'

/** What texts are embedded for: models of several providers embed questions otherwise than documents. */
export type EmbedPurpose = 'query' | 'document'

/** What a body is made of. */
export type EmbedCall = {
  model: string
  texts: readonly string[]
  purpose: EmbedPurpose
  dimensions: number | undefined
  /** What the node sets besides, such as `inputType`. */
  options: Readonly<Record<string, string>>
}

/** How a provider is asked for vectors. */
export type EmbedDialect = {
  /** What follows the address. */
  path(model: string): string
  body(call: EmbedCall): JsonObject
  /** The lists of numbers in an answer; undefined where it has none. */
  vectors(answer: Json | undefined): Json | undefined
}

export type TableEmbedderOptions = {
  egress: Egress
  /** The name in messages: "Cohere". */
  provider: string
  /** The name in ids. */
  name: string
  model: string
  /** Where the model is known to be before its first call, for its id. */
  baseURL: string
  /** Called before the first request. */
  address(): Promise<EmbedAddress>
  headers: Record<string, string>
  dialect: EmbedDialect
  callLimits: BatchLimits
  textTokens?: number | undefined
  dimensions?: number | undefined
  options: Readonly<Record<string, string>>
  timeoutMs?: number | undefined
  stripNewLines: boolean
  cut: boolean
}

export type EmbedAddress = {
  baseURL: string
  apiKey: string | undefined
  keyHeader?: string
  query?: Record<string, string>
}

/** An embedder of a row of the table of providers. @throws Error for an invalid base URL */
export function tableEmbedder(options: TableEmbedderOptions): Embedder {
  const { egress, provider, name, model, headers, dialect, callLimits, textTokens, dimensions } = options
  const baseURL = readBaseURL(options.baseURL)
  const responseBytes = answerBytes(callLimits.texts)
  return providerEmbedder({
    id: modelId(name, {
      model,
      baseURL,
      dimensions,
      ...options.options,
      newlines: options.stripNewLines ? 'stripped' : undefined,
    }),
    provider,
    model,
    async open() {
      const { baseURL: place, apiKey, keyHeader, query } = await options.address()
      const { timeoutMs } = options
      const limits = { responseBytes, ...(timeoutMs === undefined ? {} : { headersMs: timeoutMs }) }
      const call = withoutPages(egress.forProvider(place).limited(limits), { provider, stage: 'embed' })
      const key: Record<string, string> =
        apiKey === undefined
          ? {}
          : keyHeader === undefined
            ? { authorization: `Bearer ${apiKey}` }
            : { [keyHeader]: apiKey }
      const asked = query ? `?${new URLSearchParams(query)}` : ''
      const url = `${readBaseURL(place)}${dialect.path(model)}${asked}`
      const opened = embeddingModel({ ...options, call, url, headers: { ...headers, ...key } })
      return { model: opened, secrets: [apiKey ?? '', ...Object.values(headers)] }
    },
    callLimits,
    ...(textTokens === undefined ? {} : { textTokens }),
    cut: options.cut,
    ...(dimensions === undefined ? {} : { dimensions }),
    stripNewLines: options.stripNewLines,
    tellsPurpose: true,
    keyHint: 'Check the API key: the credential of the node',
  })
}

type Connection = Pick<TableEmbedderOptions, 'model' | 'dialect' | 'dimensions' | 'options'> & {
  call: EgressFetch
  url: string
  headers: Record<string, string>
}

/** A model of the AI SDK for a provider by its HTTP description. */
function embeddingModel({ model, dialect, dimensions, options, call, url, headers }: Connection) {
  const made: Pick<EmbeddingModel, 'doEmbed'> = {
    async doEmbed({ values: texts, abortSignal, providerOptions }) {
      const purpose = providerOptions?.purpose?.of === 'query' ? 'query' : 'document'
      const response = await call(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify(dialect.body({ model, texts, purpose, dimensions, options })),
        ...(abortSignal ? { signal: abortSignal } : {}),
      })
      const text = await response.text()
      const body = parseJson(text)
      const vectors = response.ok ? dialect.vectors(body) : undefined
      if (!isVectors(vectors))
        throw new RefusedAnswer(response, text, response.statusText || 'an answer that is no JSON')
      return { embeddings: vectors, warnings: [], response: { body } }
    },
  }
  return made as EmbeddingModel
}

const isVectors = (value: Json | undefined): value is number[][] =>
  Array.isArray(value) &&
  value.every((row) => Array.isArray(row) && row.every((number) => typeof number === 'number'))

/** The vectors of `{data: [{embedding}]}`. */
export const dataVectors = (answer: Json | undefined): Json | undefined => {
  const rows = isObject(answer) ? answer.data : undefined
  return Array.isArray(rows)
    ? rows.map((row) => (isObject(row) ? ((row.embedding as Json | undefined) ?? null) : null))
    : undefined
}
