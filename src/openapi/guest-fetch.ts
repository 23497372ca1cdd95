import { decodeText } from '../formats/decode.ts'
import type { Egress } from '../kit/egress/client.ts'
import { type HttpCall, sendCall, showExchange } from '../tools/call.ts'
import type { HttpExchange } from '../contract/tool.ts'
import type { CallCredentials } from './call/secrets.ts'
import { percentEncoder } from './call/write-value.ts'
import type { GuestAnswer, GuestCall } from './sandbox/messages.ts'

/** What the calls of custom code may use outside of the sandbox. */
export type GuestFetchContext = {
  egress: Egress
  origin: string
  credentials: CallCredentials
  /** A binary body, and the text by which the code refers to it. */
  bytes?: { body: Uint8Array<ArrayBuffer>; text: string }
  /** Secrets to mask in what `note` gets, besides those that the call sends. */
  secrets?: readonly string[]
  /** Receives each call that got an answer. */
  note?(exchange: HttpExchange): void
}

/**
 * The `fetch` of custom code. The credential never enters the sandbox: it is added outside of it, only to calls to
 * the origin of the operation.
 *
 * @throws SluiceError as {@link sendCall}; TypeError for an invalid request
 */
export async function guestFetch(
  call: GuestCall,
  { egress, origin, credentials, bytes, secrets, note }: GuestFetchContext,
  signal: AbortSignal,
): Promise<GuestAnswer> {
  const url = new URL(call.url)
  const sent: HttpCall = url.origin === origin ? withKeys(call, url, credentials) : call
  const body = call.body !== undefined && call.body === bytes?.text ? { body: bytes.body } : {}
  const startedAt = performance.now()
  const answer = await sendCall({ ...sent, ...body }, { egress }, signal)
  if (note) note(await showExchange({ ...sent, ...body }, { answer }, performance.now() - startedAt, secrets))
  if (!answer.whole) throw new Error('the answer is larger than 1 MB')
  return {
    status: answer.status,
    statusText: answer.statusText,
    url: call.url,
    headers: [...answer.headers].filter(([name]) => name !== 'set-cookie'),
    text: await decodeText(answer.bytes, answer.charset),
  }
}

function withKeys(call: GuestCall, url: URL, { headers, query, cookies }: CallCredentials): HttpCall {
  const sent = new Headers(call.headers)
  for (const [name, value] of headers) if (!sent.has(name)) sent.set(name, value)
  const jar = [sent.get('cookie'), ...cookies.map((pair) => pair.join('='))].filter(Boolean)
  if (jar.length > 0) sent.set('cookie', jar.join('; '))
  const pairs = query.map((pair) => pair.map(percentEncoder(false)).join('=')).join('&')
  return {
    ...call,
    url: pairs === '' ? call.url : `${url.href}${url.search === '' ? '?' : '&'}${pairs}`,
    headers: Object.fromEntries(sent),
  }
}
