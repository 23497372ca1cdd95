import type { Tool } from '../contract/tool.ts'
import type { Egress } from '../kit/egress/client.ts'
import { isObject } from '../kit/json.ts'
import { callForModel, failedCall } from './call.ts'
import { secretsIn } from './request-headers.ts'

/** An API that is described in words. */
export type DescribedApi = {
  method: 'GET' | 'POST'
  /** The description: the model reads it, and only the servers whose addresses stand in it are called. */
  description: string
  /** Sent with every call; never shown to the model. */
  headers: Record<string, string>
}

const ADDRESS = /https?:\/\/[^\s"'<>()[\]{}`]+/gi
/** In characters. */
const ANSWER = 20_000

/** The servers whose addresses stand in a description, each once: `https://api.open-meteo.com`. */
export const serversIn = (description: string): string[] => [
  ...new Set(
    (description.match(ADDRESS) ?? []).flatMap((address) => {
      const trimmed = withoutMarks(address)
      return URL.canParse(trimmed) ? [new URL(trimmed).origin] : []
    }),
  ),
]

/** An address in a sentence, without the marks that end the sentence. */
function withoutMarks(address: string): string {
  let end = address.length
  while ('.,;:'.includes(address[end - 1] ?? ' ')) end--
  return address.slice(0, end)
}

/** Calls of a described API as a tool: the model writes the address, and with POST the body. */
export function describedApiTool({ method, description, headers }: DescribedApi, egress: Egress): Tool {
  const servers = serversIn(description)
  const secrets = secretsIn(headers, '')
  const takesBody = method === 'POST'
  return {
    name: takesBody ? 'post_to_api' : 'get_from_api',
    description: `Sends a ${method} request to the described API`,
    unsafe: takesBody,
    parameters: {
      type: 'object',
      properties: {
        url: { type: 'string', description: 'The whole address, with its query' },
        ...(takesBody ? { data: { type: 'object', description: 'The body, sent as JSON' } } : {}),
      },
      required: ['url'],
      additionalProperties: false,
    },
    async call({ url, data }, signal) {
      if (typeof url !== 'string' || !URL.canParse(url)) return failedCall('url is not an address')
      if (!servers.includes(new URL(url).origin))
        return failedCall(`the description names ${servers.join(', ')} and no other server`)
      const body = takesBody
        ? {
            body: JSON.stringify(isObject(data) ? data : {}),
            headers: { 'content-type': 'application/json', ...headers },
          }
        : { headers }
      return callForModel({ method, url, ...body }, { egress }, { maxCharacters: ANSWER, secrets }, signal)
    },
  }
}
