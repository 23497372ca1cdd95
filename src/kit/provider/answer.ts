import { isObject, parseJson } from '../json.ts'

/** The answer of a provider that refused a call. */
export type ProviderRefusal = { status: number; headers: Record<string, string | undefined>; message: string }

/** Reads the error of the AI SDK that carries an answer; undefined for any other. */
export function refusalOf(error: Error): ProviderRefusal | undefined {
  const { statusCode, responseHeaders, responseBody } = error as Error & Record<string, unknown>
  if (typeof statusCode !== 'number') return undefined
  const headers = isObject(responseHeaders) ? (responseHeaders as Record<string, string>) : {}
  const said = typeof responseBody === 'string' ? messageIn(responseBody) : undefined
  return { status: statusCode, headers, message: said ?? error.message }
}

/** How many characters of a message are read. */
const LONGEST_READ = 10_000

/** The message of a failure: `{error: {message}}` of OpenAI and Google, `{error}` of Ollama, `{message}` and `{detail}` of others. */
export function messageIn(body: string): string | undefined {
  const value = parseJson(body)
  if (!isObject(value)) return undefined
  const { error = value } = value
  const message = isObject(error) ? (error.message ?? error.detail) : error
  return typeof message === 'string' ? message.slice(0, LONGEST_READ) : undefined
}

const TOO_LARGE =
  /context (length|window|size)|too (long|large|many (input )?tokens)|(exceed|maximum|max\b).{0,60}(token|length|size|input)|batch size/i

/** Whether the input was too long for the model. Servers word this differently. */
export const isTooLarge = ({ status, message }: ProviderRefusal): boolean =>
  status === 413 || ([400, 422, 500].includes(status) && TOO_LARGE.test(message))

const LONGEST = 200
/** Shorter repetitions of the input, in characters, are not masked. */
const ECHO = 12

/**
 * A provider's message for clients: one short line, with keys and repetitions of the input replaced by dots.
 */
export function cleanMessage(
  message: string,
  { secrets, texts }: { secrets: readonly string[]; texts: readonly string[] },
): string {
  let clean = message
  for (const secret of secrets) if (secret !== '') clean = clean.replaceAll(secret, '…')
  clean = clean
    .replace(/\b(sk|pk|key|AIza)[-_]?[\w*-]{12,}/g, '…')
    .replace(/\s+/g, ' ')
    .slice(0, LONGEST)
  const input = texts.join('\n').replace(/\s+/g, ' ')
  // A message that quotes JSON has the text with its escapes.
  const sources = [input, JSON.stringify(texts.join('\n')).slice(1, -1)]
  for (const text of texts) if (text.length >= 4 && text.length < ECHO) clean = clean.replaceAll(text, '…')
  return withoutEchoes(clean, sources).trim()
}

/** Replaces every part of a message that also occurs in one of the sources by dots. */
function withoutEchoes(message: string, sources: readonly string[]): string {
  let kept = ''
  for (let at = 0; at < message.length; ) {
    let end = at
    for (const source of sources) {
      let length = ECHO
      while (at + length <= message.length && source.includes(message.slice(at, at + length)))
        end = Math.max(end, at + length++)
    }
    kept += end > at ? '…' : message[at]
    at = Math.max(end, at + 1)
  }
  return kept
}
