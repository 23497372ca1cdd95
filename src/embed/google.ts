import type { Embedder } from '../contract/embedder.ts'
import type { Egress } from '../kit/egress/client.ts'
import { modelId, readBaseURL } from '../kit/provider/base-url.ts'
import { answerBytes } from './answer-bytes.ts'
import { providerEmbedder } from './provider-embedder.ts'

export const GOOGLE_BASE_URL = 'https://generativelanguage.googleapis.com/v1beta'

/** The purpose of the vectors; Google computes different ones for each. */
export const GOOGLE_TASKS = [
  'TASK_TYPE_UNSPECIFIED',
  'RETRIEVAL_QUERY',
  'RETRIEVAL_DOCUMENT',
  'SEMANTIC_SIMILARITY',
  'CLASSIFICATION',
  'CLUSTERING',
] as const

export type GoogleOptions = {
  egress: Egress
  model: string
  baseURL: string
  /** Reads the key. Called before the first request. */
  apiKey(): Promise<string>
  task: (typeof GOOGLE_TASKS)[number]
  stripNewLines: boolean
  cut: boolean
}

/** Google's limits: 100 texts per call, and 2,048 tokens per text; the rest of a longer text is silently ignored. */
const CALL_LIMITS = { texts: 100, bytes: 500_000, tokens: 100_000 }
const TEXT_TOKENS = 2048

/** Embeds with Gemini. @throws Error for an invalid base URL */
export function googleEmbedder({
  egress,
  model,
  apiKey,
  task,
  stripNewLines,
  cut,
  ...options
}: GoogleOptions): Embedder {
  const baseURL = readBaseURL(options.baseURL)
  const taskType = task === 'TASK_TYPE_UNSPECIFIED' ? undefined : task
  return providerEmbedder({
    id: modelId('google', {
      model,
      baseURL,
      task: taskType,
      newlines: stripNewLines ? 'stripped' : undefined,
    }),
    provider: 'Google',
    model,
    async open() {
      const [key, { createGoogle }] = await Promise.all([apiKey(), import('@ai-sdk/google')])
      const fetch = egress.forProvider(baseURL).limited({ responseBytes: answerBytes(CALL_LIMITS.texts) })
      const google = createGoogle({ apiKey: key, baseURL, fetch })
      return { model: google.embeddingModel(model), secrets: [key] }
    },
    callLimits: CALL_LIMITS,
    textTokens: TEXT_TOKENS,
    cut,
    stripNewLines,
    ...(taskType ? { providerOptions: { google: { taskType } } } : {}),
    keyHint: 'Check the API key: the credential of the node, or GOOGLE_GENERATIVE_AI_API_KEY',
  })
}
