import type { ToolOutcome } from '../contract/tool.ts'
import { decodeText } from '../formats/decode.ts'
import { sniff } from '../formats/sniff.ts'
import { parseJson } from '../kit/json.ts'
import { createSecretMask } from '../kit/secret-mask.ts'
import type { HttpAnswer } from './send.ts'

/** How an answer is presented to a model. */
export type AnswerOptions = {
  /** The most characters of the body; 2,000 by default. */
  maxCharacters?: number
  /** Secrets that are masked if the answer repeats them. */
  secrets?: readonly string[]
  /** For a user instead of a model: a successful answer is its body alone, if that is not empty. */
  bare?: boolean
}

export const DEFAULT_MAX_CHARACTERS = 2000

/** Headers that are useful to a model. */
const SHOWN_HEADERS = ['location', 'retry-after', 'allow', 'link']

/**
 * An answer as text for a model: a status line, the useful headers, and the body, JSON without white space.
 *
 * @example 'HTTP 404 Not Found\n\n{"error":"Event not found"}'
 */
export async function describeAnswer(answer: HttpAnswer, options: AnswerOptions = {}): Promise<ToolOutcome> {
  const { status, statusText, headers } = answer
  const shown = (text: string) => withoutSecrets(text, options.secrets ?? [])
  const lines = [
    `HTTP ${status} ${statusText}`.trim(),
    ...SHOWN_HEADERS.flatMap((name) => (headers.get(name) === null ? [] : [`${name}: ${headers.get(name)}`])),
  ]
  // Masked before it is cut: the beginning of a secret that is cut would not be recognised.
  const body = cut(
    shown(await answerBodyText(answer)),
    options.maxCharacters ?? DEFAULT_MAX_CHARACTERS,
    answer.whole,
  )
  const alone = options.bare && status < 400 && body !== ''
  const output = [...(alone ? [] : [shown(lines.join('\n'))]), ...(body === '' ? [] : [body])].join('\n\n')
  return { output, ...(status >= 400 ? { failed: true } : {}) }
}

/** The body as text; for a body that is not text, its type and size. */
export async function answerBodyText({ bytes, whole, headers, charset }: HttpAnswer): Promise<string> {
  if (bytes.length === 0) return ''
  if (sniff(bytes.subarray(0, 65_536)) !== 'text')
    return `(${headers.get('content-type') ?? 'binary'}, ${whole ? '' : 'more than '}${bytes.length} bytes, not shown)`
  const text = (await decodeText(bytes, charset)).trim()
  return /^[[{]/.test(text) && parseJson(text) !== undefined ? compact(text) : text
}

/** JSON without white space between tokens; numbers keep every digit. */
const compact = (json: string) => json.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1')

function cut(body: string, most: number, whole: boolean): string {
  if (body.length <= most && whole) return body
  const kept = body.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')
  const total = whole ? `${body.length}` : `more than ${body.length}`
  return `${kept}\n(cut: the first ${kept.length} of ${total} characters)`
}

/** A header may have the name of a scheme before its secret. An answer may repeat the secret without it. */
const SCHEME = /^(bearer|basic|token|apikey)\s+(?=\S+$)/i

/** The text with all secrets masked. The secret `Bearer abc` is also masked as `abc`. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const mask = createSecretMask()
  for (const secret of secrets) {
    mask.add(secret)
    mask.add(secret.replace(SCHEME, ''))
  }
  return mask.text(text)
}
