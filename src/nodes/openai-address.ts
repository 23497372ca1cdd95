import type { BuildContext } from '../contract/card.ts'
import type { JsonObject } from '../kit/json.ts'
import { headersFromOptions } from './headers-from-options.ts'
import { serverKeyFor } from './provider-key.ts'

type OpenAIValues = {
  openAIApiKey: string | undefined
  credential: string | undefined
  basepath: string | undefined
  baseOptions: JsonObject
}

/** Where a node calls OpenAI or a server with its protocol, with which headers, and where its key comes from. */
export function openAIAddress(
  { openAIApiKey, credential, basepath, baseOptions }: OpenAIValues,
  { settings: { OPENAI_API_KEY, OPENAI_BASE_URL } }: Pick<BuildContext, 'settings'>,
) {
  const baseURL = basepath ?? OPENAI_BASE_URL
  const serverKey = serverKeyFor(OPENAI_API_KEY, { baseURL, intendedBaseURL: OPENAI_BASE_URL })
  const sources = { nodeKey: openAIApiKey, credential, field: 'openAIApiKey', serverKey }
  return { provider: 'OpenAI', baseURL, sources, headers: headersFromOptions(baseOptions) }
}
