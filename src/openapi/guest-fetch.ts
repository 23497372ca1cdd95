import { decodeText } from '../formats/decode.ts'
import type { Egress } from '../kit/egress/client.ts'
import { type HttpCall, sendCall } from '../tools/send.ts'
import type { CallCredentials } from './call/secrets.ts'
import { percentEncoder } from './call/write-value.ts'
import type { GuestAnswer, GuestCall } from './sandbox/messages.ts'

/** Where the calls of custom code go, and what they are given on the way. */
export type GuestFetchContext = {
  egress: Egress
  origin: string
  keys: CallCredentials
  /** A body that is no text, and the text that the code knows it by. */
  bytes?: { body: Uint8Array<ArrayBuffer>; text: string }
}

/**
 * The `fetch` of custom code. What the credential holds never enters the sandbox: it is put onto calls that go to the
 * origin of the operation, once they have left it.
 *
 * @throws SluiceError as {@link sendCall}; TypeError for what is no request
 */
export async function guestFetch(
  call: GuestCall,
  { egress, origin, keys, bytes }: GuestFetchContext,
  signal: AbortSignal,
): Promise<GuestAnswer> {
  const url = new URL(call.url)
  const sent: HttpCall = url.origin === origin ? withKeys(call, url, keys) : call
  const body = call.body !== undefined && call.body === bytes?.text ? { body: bytes.body } : {}
  const answer = await sendCall({ ...sent, ...body }, { egress }, signal)
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
