import type { EgressFetch } from '../egress/client.ts'
import { SluiceError } from '../errors.ts'

/**
 * The same calls, where a page for people in the place of an answer is an error that says so: the address is that of a web site.
 *
 * @param provider the name in messages
 */
export const withoutPages =
  (fetch: EgressFetch, { provider, stage }: { provider: string; stage: string }): EgressFetch =>
  async (input, init) => {
    const response = await fetch(input, init)
    if (!response.ok || !/^text\/html\b/i.test(response.headers.get('content-type') ?? '')) return response
    await response.body?.cancel()
    throw new SluiceError('provider_failed', {
      provider,
      stage,
      reason: 'its answer is a web page',
      hint: 'Check the base URL: it must be that of the API',
    })
  }
