import { isObject } from '../../kit/json.ts'
import type { AuthScheme } from '../operation.ts'
import type { References } from './references.ts'

/** What the schemes of a description ask of a call, by their names; those of other kinds are not among them. */
export function readSchemes(
  schemes: Record<string, unknown>,
  at: string,
  references: References,
): Map<string, AuthScheme> {
  const needs = new Map<string, AuthScheme>()
  for (const [scheme, written] of Object.entries(schemes)) {
    const need = needOf(scheme, followed(written, at, references))
    if (need) needs.set(scheme, need)
  }
  return needs
}

function followed(scheme: unknown, at: string, references: References): Record<string, unknown> {
  try {
    const { value } = references.follow(scheme, at)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

function needOf(scheme: string, value: Record<string, unknown>): AuthScheme | undefined {
  const { type, name, in: place } = value
  if (
    type === 'apiKey' &&
    typeof name === 'string' &&
    (place === 'header' || place === 'query' || place === 'cookie')
  )
    return { scheme, type, in: place, name }
  if (type === 'oauth2' || type === 'openIdConnect') return { scheme, type: 'bearer' }
  if (type !== 'http') return undefined
  const kind = String(value.scheme).toLowerCase()
  return kind === 'basic' || kind === 'bearer' ? { scheme, type: kind } : undefined
}

/** Security requirements as alternatives; one with a scheme that is not known cannot be met and is left out. */
export function readRequirements(
  requirements: unknown,
  needs: ReadonlyMap<string, AuthScheme>,
  note: (reason: string) => void,
): AuthScheme[][] {
  const list = Array.isArray(requirements) ? requirements.filter((one) => isObject(one)) : []
  const known = list.map((one) => Object.keys(one)).filter((names) => names.every((name) => needs.has(name)))
  if (known.length === 0 && list.length > 0) note('it asks for a security scheme that is not supported')
  return known.map((names) => names.map((name) => needs.get(name)!))
}
