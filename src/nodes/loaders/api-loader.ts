import { choiceField, objectField, textField } from '../../cards/field.ts'
import { apiItem } from '../../sources/api.ts'
import { webAddress } from '../../sources/web/address.ts'
import { loaderCard } from './loader-card.ts'
import { mayCall } from '../may-call.ts'

export const apiLoader = loaderCard({
  name: 'apiLoader',
  label: 'API Loader',
  version: 2.1,
  description: 'The response of an HTTP API',
  fields: {
    method: choiceField('Method', ['GET', 'POST'], 'GET', { main: true }),
    url: textField('URL', '', { main: true, guard: 'url' }),
    headers: objectField('Headers', { additional: true, guard: 'credential' }),
    body: objectField('Body', { description: 'The JSON body of a POST request', additional: true }),
  },
  sources({ method, url, headers, body }, context) {
    const { egress } = context
    const address = webAddress(url, 'url')
    mayCall(context, address, 'url', egress)
    const item = apiItem({ method, address, headers, body }, egress)
    return {
      async *items() {
        yield item
      },
    }
  },
})
