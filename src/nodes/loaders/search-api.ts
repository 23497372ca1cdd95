import { credentialField, objectField, textField } from '../../cards/field.ts'
import { searchResultsItem } from '../../sources/search-results.ts'
import { webAddress } from '../../sources/web/address.ts'
import { mayCall } from '../may-call.ts'
import { keyReader, requiredKeyReader } from '../provider-key.ts'
import { loaderCard } from './loader-card.ts'

const ADDRESS = 'https://www.searchapi.io/api/v1/search'

export const searchApiLoader = loaderCard({
  name: 'searchApi',
  label: 'SearchApi For Web Search',
  version: 1,
  description: 'What SearchApi finds: pages, news, or the words that are said in a video',
  fields: {
    credential: credentialField('Connect Credential', ['searchApi']),
    query: textField('Query', '', { main: true }),
    customParameters: objectField('Custom Parameters', {
      additional: true,
      description: '{"engine": "youtube_transcripts", "video_id": "…"}. Default: the engine google',
    }),
    searchAddress: textField('Address', ADDRESS, {
      additional: true,
      guard: 'url',
      description: 'A gateway, or another server with the same protocol',
    }),
  },
  sources({ credential, query, customParameters, searchAddress }, context) {
    const address = webAddress(searchAddress, 'searchAddress')
    mayCall(context, address, 'searchAddress', context.egress)
    const sources = { nodeKey: undefined, credential, field: 'searchApiKey' }
    const question = {
      address,
      parameters: { engine: 'google', q: query, ...customParameters },
      // Another server may need no key.
      key: address === ADDRESS ? requiredKeyReader(sources, undefined, context) : keyReader(sources, context),
    }
    const item = searchResultsItem(question, context.egress)
    return {
      async *items() {
        yield item
      },
    }
  },
})
