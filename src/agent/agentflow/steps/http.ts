import type { KeyValue, StepPart } from '../../../contract/step.ts'
import { secretsSent } from '../../../kit/egress/secrets-sent.ts'
import { SluiceError } from '../../../kit/errors.ts'
import { isObject, type Json, type JsonObject, parseJson } from '../../../kit/json.ts'
import { MASK } from '../../../kit/mask-address.ts'
import { createSecretMask, type SecretMask } from '../../../kit/secret-mask.ts'
import { type HttpAnswer, type HttpCall, sendCall } from '../../../tools/send.ts'
import { answerBodyText } from '../../../tools/describe-answer.ts'
import type { StepContext, StepResult } from '../step-context.ts'

/** The kinds of credential that an HTTP node takes. */
const KINDS = ['httpBasicAuth', 'httpBearerToken', 'httpApiKey']

type Step = Extract<StepPart, { type: 'http' }>

/** Calls an HTTP API; an answer of status 400 or more is an answer, too. */
export async function runHttp(step: Step, { runtime, node, signal }: StepContext): Promise<StepResult> {
  const held =
    step.credential === undefined ? {} : await runtime.nodeServices.credential(step.credential, KINDS)
  const keys = credentialHeaders(held)
  const call = callOf(step, keys, node.label)
  const answer = await sendCall(call, { egress: runtime.nodeServices.egress }, signal)
  const mask = maskOf(call, held)
  const data = await dataOf(step, answer, mask)
  const { status, statusText, headers } = answer
  return {
    input: { http: { method: step.method, url: shownAddress(call.url) } },
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

/** What the call sent that neither later nodes nor models may read in its answer. */
function maskOf({ url, headers }: HttpCall, held: Record<string, string>): SecretMask {
  const mask = createSecretMask()
  const { token = '', basicAuthPassword = '', value = '' } = held
  for (const secret of [token, basicAuthPassword, value, ...secretsSent(url, headers)]) mask.add(secret)
  return mask
}

/** Name, password and query of an address may hold secrets, as headers and body may: they are not shown. */
function shownAddress(address: string): string {
  const { origin, pathname } = new URL(address)
  return origin + pathname
}

/** A cookie is for whoever called, not for the clients of the flow. */
const shownHeaders = (headers: Headers) =>
  Object.fromEntries([...headers].filter(([name]) => name !== 'set-cookie'))

function callOf(step: Step, keys: Record<string, string>, label: string): HttpCall {
  const { method, query, bodyType } = step
  const url = URL.parse(step.url.trim())
  if (!url) throw new SluiceError('input_invalid', { node: label, input: 'URL', reason: 'it is no address' })
  for (const { key, value } of query) url.searchParams.append(key, textOf(value))
  const body = method === 'GET' || isBare(step.body) ? undefined : bodyOf(step)
  const type: [string, string][] = body ? [['content-type', body.type]] : []
  const written = step.headers.map(({ key, value }): [string, string] => [key, textOf(value)])
  const headers = headersOf([
    ...Object.entries(keys),
    ...type,
    ...written,
    // Its boundary stands in the body.
    ...(bodyType === 'formData' ? type : []),
  ])
  if (!headers)
    throw new SluiceError('input_invalid', {
      node: label,
      input: 'Headers',
      reason: 'one of them has a name or a value that no header can have',
    })
  return { method, url: url.href, headers, ...(body ? { body: body.content } : {}) }
}

/** The last of each name; nothing where one of them cannot be sent. */
function headersOf(pairs: readonly [name: string, value: string][]): Record<string, string> | undefined {
  const headers = new Headers()
  try {
    for (const [name, value] of pairs) headers.set(name, value)
    return Object.fromEntries(headers)
  } catch {
    return undefined
  }
}

/** The kinds of credential that Flowise has for this node, by the names of their inputs. */
function credentialHeaders(held: Record<string, string>): Record<string, string> {
  if (held.basicAuthUsername !== undefined) {
    const pair = `${held.basicAuthUsername}:${held.basicAuthPassword ?? ''}`
    return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
  }
  if (held.token !== undefined) return { authorization: `Bearer ${held.token}` }
  return held.key !== undefined && held.value !== undefined ? { [held.key]: held.value } : {}
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

/** Rows of the form, or an object, either of them also as JSON text. */
function fieldsOf(body: Json): KeyValue[] {
  const read = typeof body === 'string' ? parseJson(body) : body
  if (Array.isArray(read))
    return (read.filter(isObject) as JsonObject[]).map(({ key, value }) => ({
      key: String(key),
      value: value ?? '',
    }))
  return isObject(read) ? Object.entries(read).map(([key, value]) => ({ key, value: value as Json })) : []
}

async function dataOf({ responseType }: Step, answer: HttpAnswer, mask: SecretMask): Promise<Json> {
  if (responseType === 'base64' || responseType === 'arraybuffer')
    return maskedBytes(answer.bytes, mask).toString('base64')
  const text = mask.text(await answerBodyText(answer))
  return responseType === 'json' ? (parseJson(text) ?? text) : text
}

/** Bytes without secrets; those of a file that repeats none stay as they are. */
function maskedBytes(bytes: Uint8Array, mask: SecretMask): Buffer {
  const given = Buffer.from(bytes)
  const text = given.toString('latin1')
  // Secrets are UTF-8 in what is sent; all but a few are ASCII, which is the same here.
  const shown = mask.text(text)
  return shown === text ? given : Buffer.from(shown.replaceAll(MASK, '****'), 'latin1')
}

const isBare = (body: Json) => body === '' || body === null || (Array.isArray(body) && body.length === 0)

const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))
