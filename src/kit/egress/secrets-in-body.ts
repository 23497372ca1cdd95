import { isObject, type Json, parseJson } from '../json.ts'

/** Names of fields of a body whose text is a secret. */
export const SECRET_FIELD = /passw|passphrase|secret|token$|api_?key|credential|authorization/i

/** Larger bodies, in characters, are those of models and documents, not of calls with a password. */
const LARGEST = 100_000

/** The texts of the fields of a body whose names say that they are secret: of JSON, of a form, of its parts. */
export function secretsInBody(body: string): string[] {
  if (body.length > LARGEST || !SECRET_FIELD.test(body)) return []
  const json = parseJson(body)
  if (json !== undefined) return secretsWithin(json)
  const parts = [...body.matchAll(/name="([^"\r\n]*)"\r\n\r\n([^\r\n]*)/g)].map(([, name, text]) => [
    name!,
    text!,
  ])
  const fields = parts.length > 0 ? parts : [...new URLSearchParams(body)]
  return fields.flatMap(([name, text]) => (SECRET_FIELD.test(name!) ? [text!] : []))
}

function secretsWithin(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(secretsWithin)
  if (!isObject(value)) return []
  return Object.entries(value as Record<string, Json>).flatMap(([name, inner]) =>
    typeof inner === 'string' && SECRET_FIELD.test(name) ? [inner] : secretsWithin(inner),
  )
}
