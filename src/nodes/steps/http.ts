import { choice, credential, rows, text } from '../../contract/field.ts'
import type { Json } from '../../kit/json.ts'
import { defineStep, pairs } from './declare.ts'

/** Text, or rows of a form. */
const body = {
  ...text('Body', ''),
  fallback: '' as Json,
  read: (raw: unknown) => raw as Json,
}

export const httpAgentflow = defineStep({
  name: 'httpAgentflow',
  label: 'HTTP',
  version: 1.1,
  description: 'Calls an HTTP API',
  fields: {
    credential: credential('HTTP Credential', ['httpBasicAuth', 'httpBearerToken', 'httpApiKey']),
    method: choice('Method', ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'], 'GET'),
    url: text('URL', '', { guard: 'url' }),
    headers: rows('Headers', { guard: 'credential' }),
    queryParams: rows('Query Params'),
    bodyType: choice('Body Type', ['json', 'raw', 'formData', 'xWwwFormUrlencoded'], 'json'),
    body,
    responseType: choice('Response Type', ['json', 'text', 'arraybuffer', 'base64'], 'json'),
  },
  build: ({ headers, queryParams, ...values }) => ({
    type: 'http',
    ...values,
    headers: pairs(headers),
    query: pairs(queryParams),
  }),
})
