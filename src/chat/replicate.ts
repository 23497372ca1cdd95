import { setTimeout as pause } from 'node:timers/promises'
import type { ChatModel } from '../contract/chat-model.ts'
import type { EgressFetch } from '../kit/egress/client.ts'
import { SluiceError } from '../kit/errors.ts'
import { isObject, type Json, type JsonObject, parseJson } from '../kit/json.ts'
import { modelId, readBaseURL } from '../kit/provider/base-url.ts'
import { RefusedAnswer } from '../kit/provider/refused-answer.ts'
import { providerFetch } from './provider-fetch.ts'
import { type ChatOptions, providerChatModel } from './provider-model.ts'
import type { LanguageModel, Prompt, StreamPart } from './sdk.ts'
import { withoutTools } from './without-tools.ts'

export const REPLICATE_BASE_URL = 'https://api.replicate.com/v1'

/** A model of Replicate: `version` is absent for one that has no versions. */
export type ReplicateModel = { owner: string; name: string; version?: string }

export type ReplicateChatOptions = Pick<ChatOptions, 'egress' | 'retry'> & {
  model: ReplicateModel
  /** Called before the first request. */
  apiKey(): Promise<string>
  /** Inputs of the model beside `prompt`, as it names them. */
  inputs: JsonObject
  /** How often a prediction that goes on is looked at, in milliseconds. Default: each second. */
  lookMs?: number
  /** The longest time that a prediction may take, in milliseconds. Default: ten minutes, for a model that has to be started. */
  mostMs?: number
}

/** Reads `OWNER/NAME` or `OWNER/NAME:VERSION`; undefined for any other text. */
export function readReplicateModel(text: string): ReplicateModel | undefined {
  const [, owner, name, version] = /^([\w.-]+)\/([\w.-]+)(?::(\w+))?$/.exec(text.trim()) ?? []
  if (owner === undefined || name === undefined) return undefined
  return { owner, name, ...(version === undefined ? {} : { version }) }
}

/**
 * A model of Replicate, as a prediction: it gets the messages as one text in its input `prompt`, and what it puts out is the answer.
 * Addresses of files, such as pictures, are the answer as they are. It calls no tools.
 */
export function replicateChatModel(options: ReplicateChatOptions): ChatModel {
  const { model, egress } = options
  const baseURL = readBaseURL(REPLICATE_BASE_URL)
  const provider = 'Replicate'
  const full = `${model.owner}/${model.name}${model.version === undefined ? '' : `:${model.version}`}`
  return withoutTools(
    providerChatModel({
      ...options,
      streaming: true,
      images: false,
      imagesByAddress: false,
      sampling: {},
      id: modelId('replicate', { model: full, baseURL }),
      provider,
      async open() {
        const apiKey = await options.apiKey()
        const fetch = providerFetch({ egress }, baseURL)
        return { model: predictionModel({ ...options, fetch, apiKey, full }), secrets: [apiKey] }
      },
      keyHint: 'Check the API key: the credential of the node',
    }),
    provider,
  )
}

type Calls = Omit<ReplicateChatOptions, 'apiKey'> & { fetch: EgressFetch; apiKey: string; full: string }

/** What Replicate says of a prediction. */
type Prediction = { id: string; status: string; output: Json; error: string; metrics: JsonObject }

const RUNNING: readonly string[] = ['starting', 'processing']

/** A prediction as a model of the AI SDK. */
function predictionModel(calls: Calls): LanguageModel {
  return {
    specificationVersion: 'v4',
    provider: 'replicate',
    modelId: calls.full,
    supportedUrls: {},
    doGenerate: async () => {
      throw new Error('answers of Replicate are read as streams')
    },
    async doStream({ prompt, abortSignal = new AbortController().signal }) {
      const { output, metrics } = await finished(calls, promptText(prompt), abortSignal)
      const count = (name: string) => (typeof metrics[name] === 'number' ? metrics[name] : undefined)
      const parts: StreamPart[] = [
        { type: 'text-delta', id: '0', delta: outputText(output) },
        {
          type: 'finish',
          finishReason: { unified: 'stop', raw: 'succeeded' },
          usage: {
            inputTokens: {
              total: count('input_token_count'),
              noCache: undefined,
              cacheRead: undefined,
              cacheWrite: undefined,
            },
            outputTokens: { total: count('output_token_count'), text: undefined, reasoning: undefined },
          },
        },
      ]
      return { stream: ReadableStream.from(parts) }
    },
  }
}

/** Makes a prediction and waits for its end. One that nobody waits for any more is cancelled. */
async function finished(calls: Calls, prompt: string, signal: AbortSignal): Promise<Prediction> {
  const { model, inputs, lookMs = 1000, mostMs = 600_000 } = calls
  const { owner, name, version } = model
  const end = Date.now() + mostMs
  const input = { ...inputs, prompt }
  const [path, body] =
    version === undefined
      ? [`/models/${owner}/${name}/predictions`, { input }]
      : ['/predictions', { version, input }]
  const headers = { 'content-type': 'application/json', prefer: 'wait' }
  let made = await ask(calls, path, { method: 'POST', headers, body: JSON.stringify(body), signal })
  try {
    while (RUNNING.includes(made.status)) {
      if (Date.now() >= end)
        throw new SluiceError('provider_timeout', { provider: 'Replicate', seconds: mostMs / 1000 })
      await pause(lookMs, undefined, { signal })
      made = await ask(calls, `/predictions/${made.id}`, { signal })
    }
  } catch (error) {
    if (RUNNING.includes(made.status))
      await ask(calls, `/predictions/${made.id}/cancel`, { method: 'POST' }).catch(() => {})
    throw error
  }
  if (made.status === 'succeeded') return made
  throw new Error(made.error === '' ? `its prediction ended as ${made.status}` : made.error)
}

async function ask({ fetch, apiKey }: Calls, path: string, init: RequestInit): Promise<Prediction> {
  const response = await fetch(`${REPLICATE_BASE_URL}${path}`, {
    ...init,
    headers: { ...init.headers, accept: 'application/json', authorization: `Bearer ${apiKey}` },
  })
  const body = await response.text()
  const read = response.ok ? parseJson(body) : undefined
  if (!isObject(read) || typeof read.id !== 'string' || !/^\w+$/.test(read.id))
    throw new RefusedAnswer(response, body)
  const { id, status, output = null, error, metrics } = read as JsonObject
  return {
    id: String(id),
    status: String(status),
    output,
    error: typeof error === 'string' ? error : '',
    metrics: isObject(metrics) ? (metrics as JsonObject) : {},
  }
}

/** A model puts out a text, its pieces, or addresses of files; any other output is JSON. */
function outputText(output: Json): string {
  if (typeof output === 'string') return output
  if (output === null) return ''
  if (!Array.isArray(output) || !output.every((piece) => typeof piece === 'string'))
    return JSON.stringify(output)
  const areAddresses = output.length > 1 && output.every((piece) => /^https?:\/\/\S+$/.test(piece))
  return output.join(areAddresses ? '\n' : '')
}

const SPEAKERS = { system: 'System', user: 'Human', assistant: 'AI', tool: 'Tool' } as const

/** One message is the prompt as it is; of a conversation each message says whose it is. */
function promptText(prompt: Prompt): string {
  const said = prompt.map(({ role, content }) => ({
    role,
    text:
      typeof content === 'string'
        ? content
        : content.map((part) => (part.type === 'text' ? part.text : '')).join('\n'),
  }))
  if (said.length === 1) return said[0]!.text
  return [...said.map(({ role, text }) => `${SPEAKERS[role]}: ${text}`), 'AI:'].join('\n')
}
