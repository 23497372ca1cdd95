import type { Embedder } from '../contract/embedder.ts'
import type { Egress } from '../kit/egress/client.ts'
import { modelId, readBaseURL } from '../kit/provider/base-url.ts'
import { answerBytes } from './answer-bytes.ts'
import { providerEmbedder } from './provider-embedder.ts'

export type LocalAIOptions = {
  egress: Egress
  model: string
  baseURL: string
  /** Reads the key. Called before the first request. Undefined for a server without a key. */
  apiKey(): Promise<string | undefined>
  cut: boolean
}

/** Local servers work on one text after another: small calls show progress, and little is lost if one fails. */
const CALL_LIMITS = { texts: 64, bytes: 500_000, tokens: 100_000 }

/** Some servers require a key, but accept any. */
const DUMMY_KEY = 'sk-none'

/** Embeds with a server that has OpenAI's protocol: LocalAI, llama.cpp, vLLM. @throws Error for an invalid base URL */
export function localAIEmbedder({ egress, model, apiKey, cut, ...options }: LocalAIOptions): Embedder {
  const baseURL = readBaseURL(options.baseURL)
  return providerEmbedder({
    id: modelId('localai', { model, baseURL }),
    provider: 'LocalAI',
    model,
    async open() {
      const [key = DUMMY_KEY, { createOpenAICompatible }] = await Promise.all([
        apiKey(),
        import('@ai-sdk/openai-compatible'),
      ])
      // The server may have to load the model first.
      const fetch = egress
        .forProvider(baseURL)
        .limited({ headersMs: 300_000, responseBytes: answerBytes(CALL_LIMITS.texts) })
      const localAI = createOpenAICompatible({ name: 'localai', apiKey: key, baseURL, fetch })
      return { model: localAI.embeddingModel(model), secrets: [key] }
    },
    callLimits: CALL_LIMITS,
    cut,
    keyHint: 'Check the API key: the credential of the node',
  })
}
