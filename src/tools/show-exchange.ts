import type { HttpExchange, ShownMessage, ShownRequest } from '../contract/tool.ts'
import { SECRET_FIELD } from '../kit/egress/secrets-in-body.ts'
import { secretsSent } from '../kit/egress/secrets-sent.ts'
import { isObject, type Json, parseJson } from '../kit/json.ts'
import { MASK, maskAddress } from '../kit/mask-address.ts'
import { answerBodyText, withoutSecrets } from './describe-answer.ts'
import type { HttpAnswer, HttpCall } from './send.ts'

/** The most characters of a body that are shown. */
export const SHOWN_BODY = 4000

/** The most bytes of an answer that are read for it. */
const READ_BYTES = 16_384

/** The most characters of a header that are shown. */
const SHOWN_HEADER = 500

/** Names of headers whose value is a secret. */
const SECRET_HEADER = /auth|cookie|token|secret|passw|credential|key|signature/i

/** The end of a call: its answer, or why there is none. */
export type CallEnd = { answer: HttpAnswer } | { error: string }

/**
 * An HTTP call for the person who manages the flow. The secrets of the call are masked wherever they occur, bodies are cut.
 *
 * @param secrets further secrets to mask
 * @param ms how long the call took
 */
export async function showExchange(
  call: HttpCall,
  end: CallEnd,
  ms: number,
  secrets: readonly string[] = [],
): Promise<HttpExchange> {
  const { method, address, ...request } = showRequest(call, secrets)
  const shared = { method, address, ms: Math.round(ms), request }
  if ('error' in end)
    return { ...shared, status: null, error: end.error, bytes: 0, complete: false, response: null }
  const { answer } = end
  const { status, bytes, whole } = answer
  const masked = maskFor(call, secrets)
  const head = bytes.subarray(0, READ_BYTES)
  const text = await answerBodyText({ ...answer, bytes: head, whole: whole && head.length === bytes.length })
  const response: ShownMessage = {
    headers: shownHeaders([...answer.headers], masked),
    body: cut(masked(text)),
  }
  return { ...shared, status, bytes: bytes.length, complete: whole, response }
}

/** A request for the person who manages the flow, or approves it. */
export function showRequest(call: HttpCall, secrets: readonly string[] = []): ShownRequest {
  const masked = maskFor(call, secrets)
  return {
    method: call.method,
    address: maskAddress(masked(call.url)),
    headers: shownHeaders(Object.entries(call.headers), masked),
    body: cut(masked(bodyText(call.body))),
  }
}

const maskFor =
  ({ url, headers, body }: HttpCall, secrets: readonly string[]) =>
  (text: string) =>
    withoutSecrets(text, [...secrets, ...secretsSent(url, headers, body)])

const shownHeaders = (headers: readonly (readonly [string, string])[], masked: (text: string) => string) =>
  Object.fromEntries(
    headers.map(([name, value]) => [
      name,
      SECRET_HEADER.test(name) ? MASK : masked(value).slice(0, SHOWN_HEADER),
    ]),
  )

function bodyText(body: HttpCall['body']): string {
  if (body === undefined) return ''
  if (typeof body !== 'string') return `(${body.length} bytes)`
  const json = parseJson(body)
  if (json !== undefined && typeof json === 'object') return JSON.stringify(withoutSecretFields(json))
  return maskAddress(`?${body}`).slice(1)
}

/** Masks texts in fields with names such as `password`: an author may have set them in a fixed body. */
function withoutSecretFields(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutSecretFields)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      typeof inner === 'string' && SECRET_FIELD.test(name) ? MASK : withoutSecretFields(inner as Json),
    ]),
  )
}

const cut = (text: string): string =>
  text.length <= SHOWN_BODY ? text : `${text.slice(0, SHOWN_BODY).replace(/[\uD800-\uDBFF]$/, '')}…`
