import { choiceField, credentialField, rowListField, textField } from '../../cards/field.ts'
import { HTTP_CREDENTIAL_KINDS } from '../../contract/step.ts'
import type { Json } from '../../kit/json.ts'
import { defineStep, keyValues } from './step-card.ts'
import { keyValueColumns } from './step-columns.ts'
import { mayCall } from '../may-call.ts'
import { InputError } from '../../cards/input-error.ts'

/** A text, or the rows of a form. */
const body = {
  ...textField('Body', '', { multiline: true, showWhen: { method: ['POST', 'PUT', 'DELETE', 'PATCH'] } }),
  fallback: '' as Json,
  read: (raw: unknown) => raw as Json,
}

export const httpAgentflow = defineStep({
  name: 'httpAgentflow',
  label: 'HTTP',
  version: 1.1,
  icon: 'globe',
  description: 'Calls an HTTP API',
  fields: {
    credential: credentialField('HTTP Credential', HTTP_CREDENTIAL_KINDS),
    method: choiceField('Method', ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'], 'GET', { main: true }),
    url: textField('URL', '', { main: true, guard: 'url' }),
    headers: rowListField('Headers', { guard: 'credential', columns: keyValueColumns }),
    queryParams: rowListField('Query Params', { columns: keyValueColumns }),
    bodyType: choiceField('Body Type', ['json', 'raw', 'formData', 'xWwwFormUrlencoded'], 'json', {
      optionLabels: { json: 'JSON', xWwwFormUrlencoded: 'x-www-form-urlencoded' },
      showWhen: { method: ['POST', 'PUT', 'DELETE', 'PATCH'] },
    }),
    body,
    responseType: choiceField('Response Type', ['json', 'text', 'arraybuffer', 'base64'], 'json', {
      optionLabels: { json: 'JSON', arraybuffer: 'Bytes', base64: 'Base64' },
    }),
  },
  build({ headers, queryParams, ...values }, context) {
    // With a variable in it, it is known when the node runs.
    if (!values.url.includes('{{') && !URL.canParse(values.url.trim()))
      throw new InputError('url', values.url.trim() === '' ? 'it has no URL' : 'it is not an address')
    mayCall(context, values.url, 'url', context.egress)
    return { type: 'http', ...values, headers: keyValues(headers), query: keyValues(queryParams) }
  },
})
