import type { ToolOutcome } from '../contract/tool.ts'
import { decodeText } from '../formats/decode.ts'
import { sniff } from '../formats/sniff.ts'
import { parseJson } from '../kit/json.ts'
import { createSecretMask } from '../kit/secret-mask.ts'
import type { HttpAnswer } from './send.ts'

/** How an answer is told to a model. */
export type AnswerOptions = {
  /** How many characters of the body; 2,000 unless given. */
  maxCharacters?: number
  /** What may not be seen, should the answer repeat it. */
  secrets?: readonly string[]
  /** For a user, not for a model: of an answer that is no failure only the body, where it has one. */
  bare?: boolean
}

export const DEFAULT_MAX_CHARACTERS = 2000

/** Headers that a model can act upon. */
const TOLD = ['location', 'retry-after', 'allow', 'link']

/**
 * An answer as a model reads it: a status line, the headers that matter, and the body, JSON without its white space.
 *
 * @example 'HTTP 404 Not Found\n\n{"error":"Event not found"}'
 */
export async function describeAnswer(answer: HttpAnswer, options: AnswerOptions = {}): Promise<ToolOutcome> {
  const { status, statusText, headers } = answer
  const shown = (text: string) => withoutSecrets(text, options.secrets ?? [])
  const lines = [
    `HTTP ${status} ${statusText}`.trim(),
    ...TOLD.flatMap((name) => (headers.get(name) === null ? [] : [`${name}: ${headers.get(name)}`])),
  ]
  // In this order: of a secret that is cut nobody would know the beginning.
  const body = cut(
    shown(await answerBodyText(answer)),
    options.maxCharacters ?? DEFAULT_MAX_CHARACTERS,
    answer.whole,
  )
  const alone = options.bare && status < 400 && body !== ''
  const output = [...(alone ? [] : [shown(lines.join('\n'))]), ...(body === '' ? [] : [body])].join('\n\n')
  return { output, ...(status >= 400 ? { failed: true } : {}) }
}

/** The body as text; what is no text is only named. */
export async function answerBodyText({ bytes, whole, headers, charset }: HttpAnswer): Promise<string> {
  if (bytes.length === 0) return ''
  if (sniff(bytes.subarray(0, 65_536)) !== 'text')
    return `(${headers.get('content-type') ?? 'binary'}, ${whole ? '' : 'more than '}${bytes.length} bytes, not shown)`
  const text = (await decodeText(bytes, charset)).trim()
  return /^[[{]/.test(text) && parseJson(text) !== undefined ? compact(text) : text
}

/** JSON without the white space between its parts; its numbers keep every digit. */
const compact = (json: string) => json.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1')

function cut(body: string, most: number, whole: boolean): string {
  if (body.length <= most && whole) return body
  const kept = body.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')
  const total = whole ? `${body.length}` : `more than ${body.length}`
  return `${kept}\n(cut: the first ${kept.length} of ${total} characters)`
}

/** A secret in a header stands behind the name of its scheme, and may be repeated without it. */
const SCHEME = /^(bearer|basic|token|apikey)\s+(?=\S+$)/i

/** A text in which no secret stands, whole or as the rest of a longer one. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const mask = createSecretMask()
  for (const secret of secrets) {
    mask.add(secret)
    mask.add(secret.replace(SCHEME, ''))
  }
  return mask.text(text)
}
