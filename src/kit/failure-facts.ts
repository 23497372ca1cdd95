import type { SluiceError } from './errors.ts'
import type { LogFacts } from './log.ts'

/** How many characters of the message of a provider a log line has. */
const LONGEST_REASON = 500

/**
 * A failure in a log line. That of a provider has the provider's message, which nobody could find otherwise; the secrets in
 * it must be masked before.
 */
export function failureFacts({ code, facts }: SluiceError): LogFacts {
  if (code !== 'provider_failed') return { code }
  const reason = String(facts.reason ?? '')
  return {
    code,
    provider: String(facts.provider ?? ''),
    reason: reason.length > LONGEST_REASON ? `${reason.slice(0, LONGEST_REASON)}…` : reason,
  }
}
