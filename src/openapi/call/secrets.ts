import type { AuthScheme } from '../operation.ts'

/** The values of a credential, by the names of its inputs. */
export type CredentialValues = Readonly<Record<string, string>>

/** The authentication of a call. */
export type CallCredentials = {
  headers: [string, string][]
  query: [string, string][]
  cookies: [string, string][]
}

/** All texts of a credential that must be masked, also in the form of a header. */
export function secretsToMask({ username, ...others }: CredentialValues): string[] {
  const pair =
    username === undefined ? [] : [Buffer.from(`${username}:${others.password ?? ''}`).toString('base64')]
  return [...Object.values(others), ...pair]
}

/** Input names of a single key that does not name its scheme; the first is Flowise's. */
const ANY_KEY = ['openAPIToken', 'token', 'accessToken', 'apiKey']

/**
 * The authentication by the first alternative for which all keys exist. A credential names its keys by the
 * schemes of the description, or has `openAPIToken`, or `username` and `password`.
 */
export function credentialsFor(
  security: readonly AuthScheme[][],
  secrets: CredentialValues,
): CallCredentials {
  const credentials: CallCredentials = { headers: [], query: [], cookies: [] }
  for (const schemes of security) {
    const values = schemes.map((scheme) => secretFor(scheme, secrets, schemes.length === 1))
    if (!values.every((value) => value !== undefined)) continue
    for (const [index, scheme] of schemes.entries()) put(scheme, values[index]!, credentials)
    break
  }
  return credentials
}

function secretFor(scheme: AuthScheme, secrets: CredentialValues, isOnlyScheme: boolean): string | undefined {
  const own = Object.hasOwn(secrets, scheme.schemeName) ? secrets[scheme.schemeName] : undefined
  if (own) return own
  if (scheme.type === 'basic')
    return secrets.username === undefined ? undefined : `${secrets.username}:${secrets.password ?? ''}`
  return isOnlyScheme ? ANY_KEY.map((name) => secrets[name]).find(Boolean) : undefined
}

function put(scheme: AuthScheme, value: string, { headers, query, cookies }: CallCredentials): void {
  if (scheme.type === 'basic')
    headers.push(['authorization', `Basic ${Buffer.from(value).toString('base64')}`])
  else if (scheme.type === 'bearer')
    headers.push(['authorization', `Bearer ${value.replace(/^bearer\s+/i, '')}`])
  else ({ header: headers, query, cookie: cookies })[scheme.in].push([scheme.name, value])
}
