import type { AuthScheme } from '../operation.ts'

/** What a credential holds, by the names of its inputs. */
export type CredentialValues = Readonly<Record<string, string>>

/** What a call carries so that it is let in. */
export type CallCredentials = {
  headers: [string, string][]
  query: [string, string][]
  cookies: [string, string][]
}

/** All texts of a credential that must be masked, also in the form a header has. */
export function secretsToMask({ username, ...others }: CredentialValues): string[] {
  const pair =
    username === undefined ? [] : [Buffer.from(`${username}:${others.password ?? ''}`).toString('base64')]
  return [...Object.values(others), ...pair]
}

/** Names of the one key that a credential holds where it does not name the scheme; the first is Flowise's. */
const ANY_KEY = ['openAPIToken', 'token', 'accessToken', 'apiKey']

/**
 * Fills the first alternative for which all keys are there. A credential names them by the schemes of the description,
 * or holds `openAPIToken`, or `username` and `password`.
 */
export function credentialsFor(
  security: readonly AuthScheme[][],
  secrets: CredentialValues,
): CallCredentials {
  const keys: CallCredentials = { headers: [], query: [], cookies: [] }
  for (const needs of security) {
    const values = needs.map((need) => secretFor(need, secrets, needs.length === 1))
    if (!values.every((value) => value !== undefined)) continue
    for (const [index, need] of needs.entries()) put(need, values[index]!, keys)
    break
  }
  return keys
}

function secretFor(need: AuthScheme, secrets: CredentialValues, alone: boolean): string | undefined {
  const own = Object.hasOwn(secrets, need.scheme) ? secrets[need.scheme] : undefined
  if (own) return own
  if (need.type === 'basic')
    return secrets.username === undefined ? undefined : `${secrets.username}:${secrets.password ?? ''}`
  return alone ? ANY_KEY.map((name) => secrets[name]).find(Boolean) : undefined
}

function put(need: AuthScheme, value: string, { headers, query, cookies }: CallCredentials): void {
  if (need.type === 'basic') headers.push(['authorization', `Basic ${Buffer.from(value).toString('base64')}`])
  else if (need.type === 'bearer')
    headers.push(['authorization', `Bearer ${value.replace(/^bearer\s+/i, '')}`])
  else ({ header: headers, query, cookie: cookies })[need.in].push([need.name, value])
}
