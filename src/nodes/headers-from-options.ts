import type { JsonObject } from '../kit/json.ts'

/** The headers in the input BaseOptions: the object itself, or its `headers`. */
export function headersFromOptions(options: JsonObject): Record<string, string> {
  const headers = (options.headers ?? options) as JsonObject
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}
