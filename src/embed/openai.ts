import type { Embedder } from '../contract/embedder.ts'
import type { Egress } from '../kit/egress/client.ts'
import { modelId, readBaseURL } from '../kit/provider/base-url.ts'
import { answerBytes } from './answer-bytes.ts'
import { providerEmbedder } from './provider-embedder.ts'

export type OpenAIOptions = {
  egress: Egress
  model: string
  baseURL: string
  /** Reads the key. Called before the first request. */
  apiKey(): Promise<string>
  headers?: Record<string, string>
  dimensions?: number | undefined
  /** The most texts per call. */
  batchSize?: number | undefined
  /** How long to wait for an answer, in milliseconds. */
  timeoutMs?: number | undefined
  stripNewLines?: boolean
  cut: boolean
}

/** OpenAI's limits: 2,048 texts and 300,000 tokens per call, 8,191 tokens per text. A token has at least one byte. */
const CALL_LIMITS = { texts: 256, bytes: 1_000_000, tokens: 250_000 }
const TEXT_TOKENS = 8191

/** Embeds with OpenAI. @throws Error for an invalid base URL */
export function openAIEmbedder(options: OpenAIOptions): Embedder {
  const { egress, model, dimensions, batchSize, timeoutMs, stripNewLines = false, cut } = options
  const baseURL = readBaseURL(options.baseURL)
  const callLimits = { ...CALL_LIMITS, texts: Math.min(batchSize ?? CALL_LIMITS.texts, 2048) }
  const responseBytes = answerBytes(callLimits.texts)
  return providerEmbedder({
    id: modelId('openai', {
      model,
      baseURL,
      dimensions,
      newlines: stripNewLines ? 'stripped' : undefined,
    }),
    provider: 'OpenAI',
    model,
    async open() {
      const [apiKey, { createOpenAI }] = await Promise.all([options.apiKey(), import('@ai-sdk/openai')])
      const fetch = egress
        .forProvider(baseURL)
        .limited({ responseBytes, ...(timeoutMs === undefined ? {} : { headersMs: timeoutMs }) })
      const { headers = {} } = options
      const openAI = createOpenAI({ apiKey, baseURL, headers, fetch })
      return { model: openAI.embeddingModel(model), secrets: [apiKey, ...Object.values(headers)] }
    },
    callLimits,
    textTokens: TEXT_TOKENS,
    cut,
    ...(dimensions === undefined ? {} : { dimensions }),
    stripNewLines,
    keyHint: 'Check the API key: the credential of the node, or OPENAI_API_KEY',
  })
}
