import { defineNode } from '../../cards/define-node.ts'
import { credentialField, objectField, textField } from '../../cards/field.ts'
import { lazyEngine } from '../../stores/lazy-engine.ts'
import { remoteCapabilities } from '../../stores/remote/capabilities.ts'
import type { EngineAccess } from '../../stores/remote/engine-server.ts'
import { joinFilters } from '../../vector/filter.ts'
import { requiredKeyReader } from '../provider-key.ts'
import { collectionPrefix, serverPlace } from './engine-names.ts'
import { fileUploadField, remoteRetrievalFields, retrievalSettings } from '../stores/retrieval-fields.ts'
import { namespaceField, storeAnchors, storePart } from '../stores/store-fields.ts'
import { mayCall } from '../may-call.ts'
import { InputError } from '../../cards/input-error.ts'

const additional = { additional: true }
const CONTROL_ADDRESS = 'https://api.pinecone.io'

export const pinecone = defineNode({
  kind: 'vectorStore',
  name: 'pinecone',
  label: 'Pinecone',
  version: 5,
  category: 'Vector Stores',
  type: 'Pinecone',
  baseClasses: ['Pinecone', 'VectorStoreRetriever', 'BaseRetriever'],
  description:
    'Stores vectors in an index of Pinecone. What is visible and the words are in the database of this server',
  experimental: true,
  fields: {
    credential: credentialField('Connect Credential', ['pineconeApi']),
    pineconeIndex: textField('Pinecone Index', undefined, {
      main: true,
      guard: 'table',
      description:
        'The name of an index with the metric cosine and the length of the embeddings, or its address. The index must exist',
    }),
    pineconeNamespace: textField('Pinecone Namespace', undefined, {
      ...additional,
      guard: 'table',
      description:
        'The names of the namespaces of this server begin with it. Other namespaces are not touched',
    }),
    namespace: { ...namespaceField, ...additional },
    fileUpload: fileUploadField,
    pineconeTextKey: textField('Pinecone Text Key', 'text', { ...additional, guard: 'table' }),
    pineconeMetadataFilter: objectField('Pinecone Metadata Filter', {
      merge: joinFilters,
      ...additional,
      description: 'A mandatory filter: a request can narrow it, but not widen it',
    }),
    ...remoteRetrievalFields,
  },
  anchors: storeAnchors,
  build({ values, parts }, context) {
    const { pineconeIndex, pineconeNamespace, credential, pineconeTextKey: textKey } = values
    if (pineconeIndex === undefined) throw new InputError('pineconeIndex', 'pineconeIndex is needed')
    const isAddress = /^https?:/i.test(pineconeIndex)
    if (isAddress) mayCall(context, pineconeIndex, 'pineconeIndex')
    const index = isAddress ? serverPlace(pineconeIndex) : pineconeIndex.trim()
    const namespacePrefix = collectionPrefix(pineconeNamespace ?? 'sluice', 'pineconeNamespace')
    const sources = { nodeKey: undefined, credential, field: 'pineconeApiKey' }
    const readKey = requiredKeyReader(sources, 'a credential', context)
    const name = `pinecone ${index} ${namespacePrefix}`
    const source = {
      name,
      key: JSON.stringify([pineconeIndex, credential, textKey]),
      create: () =>
        lazyEngine({ name, capabilities: remoteCapabilities('pinecone', 'cosine') }, async () => {
          const [{ findPineconeIndex, PINECONE_HEADERS, pineconeEngine }, { engineServer }] =
            await Promise.all([
              import('../../stores/remote/pinecone.ts'),
              import('../../stores/remote/engine-server.ts'),
            ])
          const serverOf = (open: () => Promise<EngineAccess>) =>
            engineServer({
              timeoutMs: context.settings.ENGINE_TIMEOUT * 1000,
              egress: context.egress,
              provider: 'Pinecone',
              keyHint: 'Check the API key: the credential of the node',
              open,
            })
          const access = async (baseURL: string): Promise<EngineAccess> => {
            return { baseURL, headers: { ...PINECONE_HEADERS, 'api-key': await readKey() } }
          }
          const server = serverOf(async () => {
            if (isAddress) return access(pineconeIndex)
            const control = serverOf(() => access(CONTROL_ADDRESS))
            return access(await findPineconeIndex(control, name, index))
          })
          return pineconeEngine({ name, server, namespacePrefix, textKey })
        }),
    }
    const filter = joinFilters(values.filter, values.pineconeMetadataFilter)
    return storePart(
      { namespace: values.namespace, parts, flowId: context.flowId },
      (namespace) => context.openSeparateStore(namespace, source),
      retrievalSettings({ ...values, metric: 'cosine', filter }, parts.reranker),
    )
  },
})
