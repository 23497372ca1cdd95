import { HTTP_CREDENTIAL_KINDS, type KeyValue, type StepPart } from '../../../contract/step.ts'
import { written } from '../../../flow/graph.ts'
import { secretsInPath } from '../../../kit/egress/secrets-in-path.ts'
import { secretsSent } from '../../../kit/egress/secrets-sent.ts'
import { SluiceError } from '../../../kit/errors.ts'
import { isObject, type Json, type JsonObject, parseJson } from '../../../kit/json.ts'
import { MASK } from '../../../kit/mask-address.ts'
import { createSecretMask, type SecretMask } from '../../../kit/secret-mask.ts'
import { answerBodyText, type HttpAnswer, type HttpCall, sendCall } from '../../../tools/call.ts'
import type { StepContext, StepResult } from '../step-context.ts'

type Step = Extract<StepPart, { type: 'http' }>

/** Calls an HTTP API. A response of status 400 or more is an output like any other. */
export async function runHttp(step: Step, { runtime, node, signal }: StepContext): Promise<StepResult> {
  const secrets =
    step.credential === undefined
      ? {}
      : await runtime.nodeServices.credential(step.credential, HTTP_CREDENTIAL_KINDS)
  const keys = credentialHeaders(secrets)
  const call = callOf(step, keys, node.label)
  const answer = await sendCall(call, { egress: runtime.nodeServices.egress }, signal)
  const mask = maskOf(call, secrets, written(node.inputs.url))
  const data = await dataOf(step, answer, mask)
  const { status, statusText, headers } = answer
  return {
    input: { http: { method: step.method, url: mask.text(shownAddress(call.url)) } },
    output: {
      content: typeof data === 'string' ? data : JSON.stringify(data),
      http: {
        data,
        status,
        statusText: mask.text(statusText),
        headers: mask.json(shownHeaders(headers)),
        ...(answer.whole ? {} : { truncated: true }),
      },
    },
  }
}

/**
 * Masks the secrets that the call sent: its response may repeat them, and later nodes and models read it.
 *
 * @param typedUrl the address as it is drawn, without values of the run
 */
function maskOf(
  { url, headers, body }: HttpCall,
  credential: Record<string, string>,
  typedUrl: string,
): SecretMask {
  const mask = createSecretMask()
  const { token = '', basicAuthPassword = '', value = '' } = credential
  const sent = [...secretsSent(url, headers, body), ...secretsInPath(typedUrl)]
  for (const secret of [token, basicAuthPassword, value, ...sent]) mask.add(secret)
  return mask
}

/** An address without user name, password and query, which may hold secrets. Headers and body are not shown either. */
function shownAddress(address: string): string {
  const { origin, pathname } = new URL(address)
  return origin + pathname
}

/** Cookies are for the server that called, not for the clients of the flow. */
const shownHeaders = (headers: Headers) =>
  Object.fromEntries([...headers].filter(([name]) => name !== 'set-cookie'))

function callOf(step: Step, keys: Record<string, string>, label: string): HttpCall {
  const { method, query, bodyType } = step
  const url = URL.parse(step.url.trim())
  if (!url)
    throw new SluiceError('input_invalid', { node: label, input: 'URL', reason: 'it is not an address' })
  for (const { key, value } of query) url.searchParams.append(key, textOf(value))
  const body = method === 'GET' || isEmptyBody(step.body) ? undefined : bodyOf(step)
  const type: [string, string][] = body ? [['content-type', body.type]] : []
  const own = step.headers.map(({ key, value }): [string, string] => [key, textOf(value)])
  const headers = headersOf([
    ...Object.entries(keys),
    ...type,
    ...own,
    // The type of a form comes last: it names the boundary used in the body.
    ...(bodyType === 'formData' ? type : []),
  ])
  if (!headers)
    throw new SluiceError('input_invalid', {
      node: label,
      input: 'Headers',
      reason: 'one of them has an invalid name or value',
    })
  return { method, url: url.href, headers, ...(body ? { body: body.content } : {}) }
}

/** Headers by name; the last one of a name wins. Undefined if a name or value is invalid. */
function headersOf(pairs: readonly [name: string, value: string][]): Record<string, string> | undefined {
  const headers = new Headers()
  try {
    for (const [name, value] of pairs) headers.set(name, value)
    return Object.fromEntries(headers)
  } catch {
    return undefined
  }
}

/** The header for a credential. The names of its fields show the kind of the credential. */
function credentialHeaders({
  basicAuthUsername,
  basicAuthPassword = '',
  token,
  key,
  value,
}: Record<string, string>): Record<string, string> {
  if (basicAuthUsername !== undefined) {
    const pair = `${basicAuthUsername}:${basicAuthPassword}`
    return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
  }
  if (token !== undefined) return { authorization: `Bearer ${token}` }
  return key !== undefined && value !== undefined ? { [key]: value } : {}
}

function bodyOf({ bodyType, body }: Step): { type: string; content: string } {
  if (bodyType === 'json') return { type: 'application/json', content: textOf(body) }
  if (bodyType === 'raw') return { type: 'text/plain', content: textOf(body) }
  const fields = fieldsOf(body)
  if (bodyType === 'xWwwFormUrlencoded') {
    const form = new URLSearchParams(fields.map(({ key, value }): [string, string] => [key, textOf(value)]))
    return { type: 'application/x-www-form-urlencoded', content: form.toString() }
  }
  const boundary = `sluice-${crypto.randomUUID()}`
  const parts = fields.map(
    ({ key, value }) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${key.replace(/["\r\n]/g, encodeURIComponent)}"\r\n\r\n${textOf(value)}\r\n`,
  )
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    content: `${parts.join('')}--${boundary}--\r\n`,
  }
}

/** The fields of a form body: rows of key and value, or an object, either also as JSON text. */
function fieldsOf(body: Json): KeyValue[] {
  const parsed = typeof body === 'string' ? parseJson(body) : body
  if (Array.isArray(parsed))
    return (parsed.filter(isObject) as JsonObject[]).map(({ key, value }) => ({
      key: String(key),
      value: value ?? '',
    }))
  return isObject(parsed) ? Object.entries(parsed).map(([key, value]) => ({ key, value: value as Json })) : []
}

async function dataOf({ responseType }: Step, answer: HttpAnswer, mask: SecretMask): Promise<Json> {
  if (responseType === 'base64' || responseType === 'arraybuffer')
    return maskedBytes(answer.bytes, mask).toString('base64')
  const text = mask.text(await answerBodyText(answer))
  return responseType === 'json' ? (parseJson(text) ?? text) : text
}

/** Replaces secrets in bytes. Bytes without secrets stay the same. */
function maskedBytes(bytes: Uint8Array, mask: SecretMask): Buffer {
  const original = Buffer.from(bytes)
  const text = original.toString('latin1')
  // Finds ASCII secrets only: those are the same bytes in UTF-8 and latin1.
  const masked = mask.text(text)
  return masked === text ? original : Buffer.from(masked.replaceAll(MASK, '****'), 'latin1')
}

const isEmptyBody = (body: Json) => body === '' || body === null || (Array.isArray(body) && body.length === 0)

const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))
