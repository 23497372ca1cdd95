import { choice, object, text } from '../../contract/field.ts'
import { apiItem } from '../../sources/api.ts'
import { webAddress } from '../../sources/web/address.ts'
import { loaderCard } from './declare.ts'

export const apiLoader = loaderCard({
  name: 'apiLoader',
  label: 'API Loader',
  version: 2.1,
  description: 'The answer of an HTTP API',
  fields: {
    method: choice('Method', ['GET', 'POST'], 'GET'),
    url: text('URL', '', { guard: 'url' }),
    headers: object('Headers', { additional: true, guard: 'credential' }),
    body: object('Body', { description: 'What a POST sends, as JSON', additional: true }),
  },
  bring({ method, url, headers, body }, { egress }) {
    const item = apiItem({ method, address: webAddress(url), headers, body }, egress)
    return {
      async *items() {
        yield item
      },
    }
  },
})
