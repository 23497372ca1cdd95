import { randomUUID } from 'node:crypto'
import type { Egress } from '../kit/egress/client.ts'
import { isObject, parseJson } from '../kit/json.ts'
import { readBaseURL } from '../kit/provider/base-url.ts'
import { providerFailure } from '../kit/provider/failure.ts'
import { withoutPages } from '../kit/provider/no-pages.ts'
import { RefusedAnswer } from '../kit/provider/refused-answer.ts'

export type TranscriptionOptions = {
  egress: Egress
  /** The name in messages: "Groq". */
  provider: string
  baseURL: string
  apiKey: string | undefined
  model: string
  /** What else the service is told: `language`, `prompt`, `temperature`. */
  fields: Readonly<Record<string, string>>
}

export type Recording = { name: string; mime: string; bytes: Uint8Array }

/** Writing a recording down takes minutes at the most; the answer is its words. */
const LIMITS = { headersMs: 300_000, idleMs: 60_000, responseBytes: 2 ** 20 }

/**
 * The words of a recording, by `POST /audio/transcriptions` of OpenAI's protocol.
 *
 * @throws SluiceError `provider_failed`, also for a recording without words; `provider_timeout`, `egress_denied`
 */
export async function transcribe(
  { egress, provider, baseURL, apiKey, model, fields }: TranscriptionOptions,
  recording: Recording,
  signal: AbortSignal,
): Promise<string> {
  const place = readBaseURL(baseURL)
  const failing = {
    provider,
    stage: 'speech',
    unreadable: 'its answer has no words in it',
    secrets: [apiKey ?? ''],
    texts: [],
    keyHint: 'Check the API key: the credential of speechToText of the flow',
  }
  try {
    const call = withoutPages(egress.forProvider(place).limited(LIMITS), failing)
    const form = formOf({ model, response_format: 'json', ...fields }, recording)
    const response = await call(`${place}/audio/transcriptions`, {
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': form.type,
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      body: form.body,
      signal,
    })
    const text = await response.text()
    const answer = response.ok ? parseJson(text) : undefined
    if (!isObject(answer) || typeof answer.text !== 'string' || answer.text.trim() === '')
      throw new RefusedAnswer(response, text)
    return answer.text.trim()
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw providerFailure(error, failing)
  }
}

/** A form with a file (RFC 7578). Names keep to characters that need no escapes. */
function formOf(fields: Readonly<Record<string, string>>, { name, mime, bytes }: Recording) {
  const boundary = `form-${randomUUID()}`
  const head = (disposition: string) => `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n`
  const plain = name.replace(/[^\w.-]/g, '_')
  const body = Buffer.concat([
    ...Object.entries(fields).map(([field, value]) =>
      Buffer.from(`${head(`name="${field}"`)}\r\n${value}\r\n`),
    ),
    Buffer.from(`${head(`name="file"; filename="${plain}"`)}Content-Type: ${mime}\r\n\r\n`),
    bytes,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ])
  return { type: `multipart/form-data; boundary=${boundary}`, body: new Uint8Array(body) }
}
