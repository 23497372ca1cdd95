import { NetworkError } from '../egress/network-error.ts'
import { errorChain, reasonOf, SluiceError } from '../errors.ts'
import { PASSING_STATUS, retryAfterMs, type RetryDecision, timeIn } from '../retry.ts'
import { cleanMessage, isTooLarge, type ProviderRefusal, refusalOf } from './answer.ts'

/** Whether a call to a provider should be repeated: after network errors, too many calls, and failures of servers. */
export function retryVerdict(error: unknown): RetryDecision {
  const chain = errorChain(error)
  // Checked first: an answer that breaks off has a status, and is a network error.
  const ours = chain.find((cause) => cause instanceof SluiceError)
  if (ours) return ours instanceof NetworkError ? {} : undefined
  const refusal = chain.map(refusalOf).find((found) => found !== undefined)
  return refusal && passes(refusal) ? { afterMs: waitAsked(refusal) } : undefined
}

function passes(refusal: ProviderRefusal): boolean {
  if (isTooLarge(refusal) || !PASSING_STATUS.has(refusal.status)) return false
  // Missing credit is also a 429, and waiting does not help.
  return !/insufficient_quota|exceeded your current quota/i.test(refusal.message)
}

const waitAsked = ({ headers }: ProviderRefusal): number | undefined => {
  const ms = headers['retry-after-ms']
  return ms !== undefined && /^\d+$/.test(ms)
    ? Number(ms)
    : retryAfterMs(headers['retry-after'], timeIn(headers.date))
}

export type FailureContext = {
  provider: string
  /** The stage of the failure: `embed`, `chat`. */
  stage: string
  /** The reason for an answer that cannot be read: "its answer has no vectors in it". */
  unreadable: string
  /** Keys that must not occur in the failure, like the texts. */
  secrets: readonly string[]
  texts: readonly string[]
  keyHint: string
}

/** The error of a failed call, with the provider's name. */
export function providerFailure(error: unknown, context: FailureContext): SluiceError {
  const { provider, stage } = context
  const chain = errorChain(error)
  const ours = chain.find((cause) => cause instanceof SluiceError)
  if (ours?.code === 'provider_timeout' || ours instanceof NetworkError)
    return new SluiceError(ours.code, { ...ours.facts, provider, stage })
  if (ours) return ours
  const refusal = chain.map(refusalOf).find((found) => found !== undefined)
  if (refusal) return refused(refusal, context)
  return new SluiceError('provider_failed', {
    provider,
    reason: cleanMessage(reasonOf(error), context),
    stage,
  })
}

function refused({ status, message }: ProviderRefusal, context: FailureContext): SluiceError {
  const { provider, stage, keyHint, unreadable } = context
  const facts = { provider, stage }
  // The answer could not be read; the reason may quote it.
  if (status < 400) return new SluiceError('provider_failed', { ...facts, reason: unreadable })
  const hint = hintFor(status, keyHint)
  return new SluiceError('provider_failed', {
    ...facts,
    reason: `it answered ${status}: ${cleanMessage(message, context)}`,
    ...(hint ? { hint } : {}),
  })
}

function hintFor(status: number, keyHint: string): string | undefined {
  if (status === 401 || status === 403) return keyHint
  if (status === 404) return 'Check the name of the model and the base URL'
  if (status === 429) return 'Wait, or raise the quota of the account at the provider'
  return undefined
}
