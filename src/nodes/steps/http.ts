import { choiceField, credentialField, rowListField, textField } from '../../contract/field.ts'
import type { Json } from '../../kit/json.ts'
import { defineStep, keyValues } from './step-card.ts'

/** A text, or the rows of a form. */
const body = {
  ...textField('Body', ''),
  fallback: '' as Json,
  read: (raw: unknown) => raw as Json,
}

export const httpAgentflow = defineStep({
  name: 'httpAgentflow',
  label: 'HTTP',
  version: 1.1,
  description: 'Calls an HTTP API',
  fields: {
    credential: credentialField('HTTP Credential', ['httpBasicAuth', 'httpBearerToken', 'httpApiKey']),
    method: choiceField('Method', ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'], 'GET'),
    url: textField('URL', '', { guard: 'url' }),
    headers: rowListField('Headers', { guard: 'credential' }),
    queryParams: rowListField('Query Params'),
    bodyType: choiceField('Body Type', ['json', 'raw', 'formData', 'xWwwFormUrlencoded'], 'json'),
    body,
    responseType: choiceField('Response Type', ['json', 'text', 'arraybuffer', 'base64'], 'json'),
  },
  build: ({ headers, queryParams, ...values }) => ({
    type: 'http',
    ...values,
    headers: keyValues(headers),
    query: keyValues(queryParams),
  }),
})
