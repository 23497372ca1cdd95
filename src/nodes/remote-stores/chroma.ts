import { defineNode } from '../../cards/define-node.ts'
import { credentialField, objectField, textField } from '../../cards/field.ts'
import { lazyEngine } from '../../stores/lazy-engine.ts'
import { remoteCapabilities } from '../../stores/remote/capabilities.ts'
import { joinFilters } from '../../vector/filter.ts'
import { beforeUse } from '../provider-key.ts'
import { collectionPrefix, serverPlace } from './engine-names.ts'
import { fileUploadField, remoteRetrievalFields, retrievalSettings } from '../stores/retrieval-fields.ts'
import { namespaceField, storeAnchors, storePart } from '../stores/store-fields.ts'
import { mayCall } from '../may-call.ts'

export const chroma = defineNode({
  kind: 'vectorStore',
  name: 'chroma',
  label: 'Chroma',
  version: 2,
  category: 'Vector Stores',
  type: 'Chroma',
  baseClasses: ['Chroma', 'VectorStoreRetriever', 'BaseRetriever'],
  description:
    'Stores vectors in a Chroma server. What is visible and the words are in the database of this server',
  fields: {
    credential: credentialField('Connect Credential', ['chromaApi']),
    collectionName: textField('Collection Name', undefined, {
      main: true,
      guard: 'table',
      description:
        'The names of the collections of this server begin with it. Other collections are not touched',
    }),
    chromaURL: textField('Chroma URL', 'http://localhost:8000', { guard: 'url' }),
    namespace: { ...namespaceField, additional: true },
    fileUpload: fileUploadField,
    chromaMetadataFilter: objectField('Chroma Metadata Filter', {
      merge: joinFilters,
      additional: true,
      description: 'A mandatory filter: a request can narrow it, but not widen it',
    }),
    ...remoteRetrievalFields,
  },
  anchors: storeAnchors,
  build({ values, parts }, context) {
    const { chromaURL, credential } = values
    mayCall(context, chromaURL, 'chromaURL')
    const prefix = collectionPrefix(values.collectionName, 'collectionName')
    const name = `chroma ${serverPlace(chromaURL)} ${prefix}`
    // The tenant is part of the credential, which is read at the first call.
    const access = beforeUse(
      async () => (credential === undefined ? {} : await context.credential(credential)),
      context,
    )
    const source = {
      name,
      key: JSON.stringify([chromaURL, credential]),
      create: () =>
        lazyEngine({ name, capabilities: remoteCapabilities('chroma', 'cosine') }, async () => {
          const [{ chromaEngine }, { engineServer }] = await Promise.all([
            import('../../stores/remote/chroma.ts'),
            import('../../stores/remote/engine-server.ts'),
          ])
          const server = engineServer({
            timeoutMs: context.settings.ENGINE_TIMEOUT * 1000,
            egress: context.egress,
            provider: 'Chroma',
            keyHint: 'Check the API key: the credential of the node',
            async open() {
              const { chromaApiKey } = await access()
              return { baseURL: chromaURL, headers: chromaApiKey ? { 'x-chroma-token': chromaApiKey } : {} }
            },
          })
          const place = async () => {
            const { chromaTenant, chromaDatabase } = await access()
            return {
              tenant: chromaTenant || 'default_tenant',
              database: chromaDatabase || 'default_database',
            }
          }
          return chromaEngine({ name, server, place, metric: 'cosine', collectionPrefix: prefix })
        }),
    }
    const filter = joinFilters(values.filter, values.chromaMetadataFilter)
    return storePart(
      { namespace: values.namespace, parts, flowId: context.flowId },
      (namespace) => context.openSeparateStore(namespace, source),
      retrievalSettings({ ...values, metric: 'cosine', filter }, parts.reranker),
    )
  },
})
