import type { JsonObject } from '../kit/json.ts'

/** Headers as such, or as `{headers: {…}}`, as the input BaseOptions holds them. */
export function headersFromOptions(options: JsonObject): Record<string, string> {
  const headers = (options.headers ?? options) as JsonObject
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}
