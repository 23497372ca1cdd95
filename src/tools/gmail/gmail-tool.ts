import type { Tool } from '../../contract/tool.ts'
import type { Egress } from '../../kit/egress/client.ts'
import { SluiceError } from '../../kit/errors.ts'
import { isObject, type JsonObject, parseJson } from '../../kit/json.ts'
import { messageIn } from '../../kit/provider/answer.ts'
import { callForModel, failedCall } from '../call.ts'
import type { GmailAction } from './actions.ts'

export const GMAIL_API = 'https://gmail.googleapis.com'
export const GOOGLE_TOKENS = 'https://oauth2.googleapis.com/token'

/** What Google gives a token of an hour for. */
export type GoogleGrant = { clientId: string; clientSecret: string; refreshToken: string }

/** In characters. */
const LONGEST_ANSWER = 20_000

/**
 * An action of Gmail as a tool.
 *
 * @param presets values that the author has set: the model is not asked for them
 * @param token gives a token for calls
 */
export function gmailTool(
  { tool, about, changes, takes, call }: GmailAction,
  presets: JsonObject,
  token: () => Promise<string>,
  egress: Egress,
): Tool {
  const open = (name: string) => !Object.hasOwn(presets, name)
  const properties = Object.entries(takes.properties as JsonObject).filter(([name]) => open(name))
  const required = (takes.required as string[]).filter(open)
  return {
    name: tool,
    description: about,
    ...(changes ? { unsafe: true } : {}),
    parameters: { ...takes, properties: Object.fromEntries(properties), required },
    async call(input, signal) {
      try {
        const { method, path, body } = call({ ...input, ...presets })
        const key = await token()
        const headers = {
          authorization: `Bearer ${key}`,
          accept: 'application/json',
          ...(body ? { 'content-type': 'application/json' } : {}),
        }
        const url = `${GMAIL_API}/gmail/v1/users/me${path}`
        const sent = { method, url, headers, ...(body ? { body: JSON.stringify(body) } : {}) }
        return await callForModel(sent, { egress }, { maxCharacters: LONGEST_ANSWER, secrets: [key] }, signal)
      } catch (error) {
        signal.throwIfAborted()
        return failedCall((error as Error).message)
      }
    },
  }
}

/** A token for calls of an hour. @throws SluiceError `provider_failed` where Google gives none */
export async function googleToken(
  { clientId, clientSecret, refreshToken }: GoogleGrant,
  egress: Egress,
  signal?: AbortSignal,
): Promise<string> {
  const response = await egress.fetch(GOOGLE_TOKENS, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: clientId,
      client_secret: clientSecret,
      refresh_token: refreshToken,
    }).toString(),
    ...(signal ? { signal } : {}),
  })
  const text = await response.text()
  const answer = response.ok ? parseJson(text) : undefined
  if (isObject(answer) && typeof answer.access_token === 'string') return answer.access_token
  throw new SluiceError('provider_failed', {
    provider: 'Google',
    reason: `it gave no token: it answered ${response.status}: ${messageIn(text) ?? 'an answer without one'}`,
    hint: 'Check the credential: a refresh token ends where it is not used, or the access is withdrawn',
  })
}
