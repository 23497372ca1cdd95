import type { Embedder } from '../contract/embedder.ts'
import type { Egress, EgressFetch } from '../kit/egress/client.ts'
import { modelId, readBaseURL } from '../kit/provider/base-url.ts'
import { answerBytes } from './answer-bytes.ts'
import { providerEmbedder } from './provider-embedder.ts'

/** How Ollama runs the model; none of it changes the vectors. */
export type OllamaModelOptions = {
  num_gpu?: number | undefined
  num_thread?: number | undefined
  use_mmap?: boolean
}

export type OllamaOptions = {
  egress: Egress
  model: string
  /** Base URL of the server, without `/api`. */
  baseURL: string
  options: OllamaModelOptions
  cut: boolean
}

const CALL_LIMITS = { texts: 64, bytes: 500_000, tokens: 100_000 }

/** Embeds with Ollama, by its own `/api/embed`. @throws Error for an invalid base URL */
export function ollamaEmbedder({ egress, model, options, cut, ...rest }: OllamaOptions): Embedder {
  const baseURL = readBaseURL(rest.baseURL).replace(/\/api$/, '')
  return providerEmbedder({
    id: modelId('ollama', { model, baseURL }),
    provider: 'Ollama',
    model,
    async open() {
      const { createOllama } = await import('ollama-ai-provider-v2')
      // The server may have to load the model first.
      const fetch = withOptions(
        egress
          .forProvider(baseURL)
          .limited({ headersMs: 300_000, responseBytes: answerBytes(CALL_LIMITS.texts) }),
        options,
      )
      const ollama = createOllama({ baseURL: `${baseURL}/api`, fetch })
      return { model: ollama.embeddingModel(model), secrets: [] }
    },
    callLimits: CALL_LIMITS,
    cut,
    // Otherwise Ollama silently cuts long texts. A text that it refuses is cut here, with a note.
    providerOptions: { ollama: { truncate: false } },
    keyHint: 'The server in front of Ollama requires a key',
  })
}

/**
 * Adds options that the client library does not know to a request, and counts that a server may leave out to its
 * answer.
 */
function withOptions(fetch: EgressFetch, options: OllamaModelOptions): EgressFetch {
  return async (url, init) => {
    const body = JSON.stringify({ ...JSON.parse(init!.body as string), options })
    const response = await fetch(url, { ...init, body })
    if (!response.ok) return response
    const text = (await response.text()).trimStart()
    // Of two equal keys in JSON the later one counts: the values of the server win.
    const counted = text.startsWith('{') ? `${NO_COUNTS}${text.slice(1)}` : text
    return new Response(counted, { headers: { 'content-type': 'application/json' } })
  }
}

const NO_COUNTS = '{"model":"","total_duration":0,"load_duration":0,"prompt_eval_count":0,'
