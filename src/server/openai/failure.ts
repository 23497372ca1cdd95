import type { ErrorCode, SluiceError } from '../../kit/errors.ts'

/** The path below which OpenAI's protocol is spoken, errors included. */
export const OPENAI_PATH = '/v1/'

/** A failure as OpenAI's clients read it. */
export type OpenAIFailure = {
  error: { message: string; type: string; param: string | null; code: string }
}

/** Codes that clients of OpenAI look for; all others are ours. */
const CODES: Partial<Record<ErrorCode, string>> = {
  flow_not_found: 'model_not_found',
  model_not_found: 'model_not_found',
  unauthorized: 'invalid_api_key',
  key_invalid: 'invalid_api_key',
  rate_limited: 'rate_limit_exceeded',
}

export function openAIFailure({ status, code, message, facts }: SluiceError): OpenAIFailure {
  const param = typeof facts.param === 'string' ? facts.param : code === 'flow_not_found' ? 'model' : null
  return { error: { message, type: typeOf(status), param, code: CODES[code] ?? code } }
}

function typeOf(status: number): string {
  if (status === 401) return 'authentication_error'
  if (status === 403) return 'permission_error'
  if (status === 429) return 'rate_limit_error'
  return status >= 500 ? 'server_error' : 'invalid_request_error'
}
