import { isObject } from '../../kit/json.ts'
import type { AuthScheme } from '../operation.ts'
import type { References } from './references.ts'

/** The supported security schemes of a description, by name. */
export function readSchemes(
  schemes: Record<string, unknown>,
  at: string,
  references: References,
): Map<string, AuthScheme> {
  const authSchemes = new Map<string, AuthScheme>()
  for (const [scheme, written] of Object.entries(schemes)) {
    const authScheme = authSchemeOf(scheme, followed(written, at, references))
    if (authScheme) authSchemes.set(scheme, authScheme)
  }
  return authSchemes
}

function followed(scheme: unknown, at: string, references: References): Record<string, unknown> {
  try {
    const { value } = references.follow(scheme, at)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

function authSchemeOf(schemeName: string, value: Record<string, unknown>): AuthScheme | undefined {
  const { type, name, in: place } = value
  if (
    type === 'apiKey' &&
    typeof name === 'string' &&
    (place === 'header' || place === 'query' || place === 'cookie')
  )
    return { schemeName, type, in: place, name }
  if (type === 'oauth2' || type === 'openIdConnect') return { schemeName, type: 'bearer' }
  if (type !== 'http') return undefined
  const kind = String(value.scheme).toLowerCase()
  return kind === 'basic' || kind === 'bearer' ? { schemeName, type: kind } : undefined
}

/** Security requirements as alternatives. One with an unsupported scheme cannot be met and is left out. */
export function readRequirements(
  requirements: unknown,
  authSchemes: ReadonlyMap<string, AuthScheme>,
  note: (reason: string) => void,
): AuthScheme[][] {
  const list = Array.isArray(requirements) ? requirements.filter((one) => isObject(one)) : []
  const known = list
    .map((one) => Object.keys(one))
    .filter((names) => names.every((name) => authSchemes.has(name)))
  if (known.length === 0 && list.length > 0) note('it requires a security scheme that is not supported')
  return known.map((names) => names.map((name) => authSchemes.get(name)!))
}
