import type { BuildContext } from '../contract/card.ts'
import { GOOGLE_BASE_URL } from '../embed/google.ts'
import { serverKeyFor } from './provider-key.ts'

type GoogleValues = {
  googleGenerativeAPIKey: string | undefined
  credential: string | undefined
  baseUrl: string | undefined
}

/** Where a node calls Google, and where its key comes from. */
export function googleAddress(
  { googleGenerativeAPIKey, credential, baseUrl }: GoogleValues,
  { settings }: Pick<BuildContext, 'settings'>,
) {
  const baseURL = baseUrl ?? GOOGLE_BASE_URL
  const serverKey = serverKeyFor(settings.GOOGLE_GENERATIVE_AI_API_KEY, {
    baseURL,
    intendedBaseURL: GOOGLE_BASE_URL,
  })
  const sources = { nodeKey: googleGenerativeAPIKey, credential, field: 'googleGenerativeAPIKey', serverKey }
  return { provider: 'Google', baseURL, sources }
}
