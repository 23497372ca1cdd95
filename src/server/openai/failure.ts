import type { OpenAIFailure } from '../../api/failure.ts'
import type { ErrorCode, SluiceError } from '../../kit/errors.ts'

/** Routes below this path use OpenAI's protocol, also for errors. */
export const OPENAI_PATH = '/v1/'

/** Codes that clients of OpenAI check. All other codes are those of Sluice. */
const CODES: Partial<Record<ErrorCode, string>> = {
  flow_not_found: 'model_not_found',
  model_not_found: 'model_not_found',
  unauthorized: 'invalid_api_key',
  key_invalid: 'invalid_api_key',
  rate_limited: 'rate_limit_exceeded',
}

/** A failure in OpenAI's protocol. */
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
