import type { LoaderItem } from '../contract/loader.ts'
import { decodeText } from '../formats/decode.ts'
import { sniff } from '../formats/sniff.ts'
import type { Egress } from '../kit/egress/client.ts'
import { secretsSent } from '../kit/egress/secrets-sent.ts'
import { SluiceError } from '../kit/errors.ts'
import { type JsonObject, parseJson } from '../kit/json.ts'
import { createSecretMask, type SecretMask } from '../kit/secret-mask.ts'
import { charsetOf } from './web/body.ts'
import { withTimeLimit } from './web/time-limit.ts'

export type ApiCall = {
  method: 'GET' | 'POST'
  address: string
  headers: JsonObject
  /** Sent as JSON in a POST. */
  body: JsonObject
}

/** The answer is held in memory as a whole. */
const MAX_BYTES = 20 * 2 ** 20
const MAX_MS = 300_000

/** The answer to a call as one document: JSON with indentation, any other text unchanged. */
export function apiItem(call: ApiCall, egress: Egress): LoaderItem {
  const { address } = call
  const refuse = (reason: string) => new SluiceError('fetch_failed', { file: address, reason })
  return {
    name: address,
    source: address,
    async *read(signal) {
      const fetch = egress.limited({ responseBytes: MAX_BYTES, headersMs: MAX_MS })
      const { type, bytes } = await withTimeLimit(address, { ms: MAX_MS, signal }, async (signal) => {
        const response = await fetch(address, { ...requestOf(call), signal })
        if (response.ok)
          return { type: response.headers.get('content-type') ?? '', bytes: await response.bytes() }
        await response.body?.cancel()
        throw refuse(`the server answers ${response.status}`)
      })
      if (bytes.length > 0 && sniff(bytes.subarray(0, 65_536)) !== 'text')
        throw refuse('the answer of the server is not text')
      // What the call sent is nobody's to read in a document.
      const text = maskOf(call).text(await decodeText(bytes, charsetOf(type)))
      const json = /\bjson\b/i.test(type) || /^\s*[[{]/.test(text) ? parseJson(text) : undefined
      const pageContent = json === undefined ? text : JSON.stringify(json, null, 2)
      const metadata = { source: address, url: address }
      yield { parts: pageContent.trim() === '' ? [] : [{ pageContent, metadata, last: true }], notes: [] }
    },
  }
}

/** Words of letters alone are masked from 8 characters on: a document is read for its words. */
function maskOf(call: ApiCall): SecretMask {
  const { headers, body } = requestOf(call)
  const mask = createSecretMask({ shortestWord: 8 })
  for (const secret of secretsSent(call.address, headers, body)) mask.add(secret)
  return mask
}

function requestOf({ method, headers, body }: ApiCall): RequestInit {
  const sent = new Headers(Object.entries(headers).map(([name, value]) => [name, String(value)]))
  if (method === 'GET') return { method, headers: sent }
  if (!sent.has('content-type')) sent.set('content-type', 'application/json')
  return { method, headers: sent, body: JSON.stringify(body) }
}
