import { defineNode } from '../../cards/define-node.ts'
import { choiceField, credentialField, numberField, objectField, textField } from '../../cards/field.ts'
import { lazyEngine } from '../../stores/lazy-engine.ts'
import { remoteCapabilities } from '../../stores/remote/capabilities.ts'
import { joinFilters } from '../../vector/filter.ts'
import { keyReader } from '../provider-key.ts'
import { collectionPrefix, serverPlace } from './engine-names.ts'
import { filterOfQdrant } from './qdrant-filter.ts'
import { fileUploadField, remoteRetrievalFields, retrievalSettings } from '../stores/retrieval-fields.ts'
import { namespaceField, storeAnchors, storePart } from '../stores/store-fields.ts'
import { mayCall } from '../may-call.ts'
import { InputError } from '../../cards/input-error.ts'
import { readBaseURLs } from '../../stores/remote/base-urls.ts'

const additional = { additional: true }
const METRICS = { Cosine: 'cosine', Euclid: 'euclidean', Dot: 'dot' } as const

export const qdrant = defineNode({
  kind: 'vectorStore',
  name: 'qdrant',
  label: 'Qdrant',
  version: 5,
  category: 'Vector Stores',
  type: 'Qdrant',
  baseClasses: ['Qdrant', 'VectorStoreRetriever', 'BaseRetriever'],
  description:
    'Stores vectors in a Qdrant server. What is visible and the words are in the database of this server',
  experimental: true,
  fields: {
    credential: credentialField('Connect Credential', ['qdrantApi']),
    qdrantServerUrl: textField('Qdrant Server URL', undefined, {
      guard: 'url',
      description:
        'The address, or several of one cluster with commas between them. The first one names the store: keep it first',
    }),
    qdrantCollection: textField('Qdrant Collection Name', undefined, {
      main: true,
      guard: 'table',
      description:
        'The names of the collections of this server begin with it. Other collections are not touched',
    }),
    namespace: { ...namespaceField, ...additional },
    fileUpload: fileUploadField,
    qdrantVectorDimension: numberField(
      'Vector Dimension',
      1536,
      { whole: true, min: 1, max: 65_536 },
      { ...additional, description: 'Has no effect: the length of the vectors is that of the embeddings' },
    ),
    contentPayloadKey: textField('Content Key', 'content', { ...additional, guard: 'table' }),
    metadataPayloadKey: textField('Metadata Key', 'metadata', { ...additional, guard: 'table' }),
    batchSize: numberField(
      'Upsert Batch Size',
      undefined,
      { whole: true, min: 1, max: 500 },
      { ...additional, unit: 'chunks' },
    ),
    qdrantSimilarity: choiceField('Similarity', ['Cosine', 'Euclid', 'Dot'], 'Cosine', additional),
    qdrantCollectionConfiguration: objectField('Additional Collection Configuration', {
      ...additional,
      guard: 'table',
      description: 'Settings of new collections, as in Qdrant’s API',
    }),
    qdrantFilter: objectField('Qdrant Search Filter', {
      merge: (first, second) => ({ must: [first, second].filter((one) => Object.keys(one).length > 0) }),
      ...additional,
      description: 'A mandatory filter in the form of Qdrant: must, should and must_not with match and range',
    }),
    ...remoteRetrievalFields,
  },
  anchors: storeAnchors,
  build({ values, parts }, context) {
    const { qdrantServerUrl, credential, batchSize, contentPayloadKey, metadataPayloadKey } = values
    if (qdrantServerUrl === undefined) throw new InputError('qdrantServerUrl', 'qdrantServerUrl is needed')
    const metric = METRICS[values.qdrantSimilarity]
    const prefix = collectionPrefix(values.qdrantCollection, 'qdrantCollection')
    const own = filterOfQdrant(values.qdrantFilter, metadataPayloadKey)
    const name = `qdrant ${serverPlace(qdrantServerUrl)} ${prefix} ${metric}`
    const options = { batchSize, contentKey: contentPayloadKey, metadataKey: metadataPayloadKey }
    const { qdrantCollectionConfiguration: collectionConfig } = values
    const readKey = keyReader({ nodeKey: undefined, credential, field: 'qdrantApiKey' }, context)
    for (const address of readBaseURLs(qdrantServerUrl)) mayCall(context, address, 'qdrantServerUrl')
    const source = {
      name,
      key: JSON.stringify([qdrantServerUrl, credential, options, collectionConfig]),
      create: () =>
        lazyEngine({ name, capabilities: remoteCapabilities('qdrant', metric) }, async () => {
          const [{ qdrantEngine }, { engineServer }] = await Promise.all([
            import('../../stores/remote/qdrant.ts'),
            import('../../stores/remote/engine-server.ts'),
          ])
          const server = engineServer({
            timeoutMs: context.settings.ENGINE_TIMEOUT * 1000,
            egress: context.egress,
            provider: 'Qdrant',
            keyHint: 'Check the API key: the credential of the node',
            async open() {
              const key = await readKey()
              return { baseURL: qdrantServerUrl, headers: key === undefined ? {} : { 'api-key': key } }
            },
          })
          return qdrantEngine({
            name,
            server,
            metric,
            collectionPrefix: prefix,
            collectionConfig,
            ...options,
          })
        }),
    }
    return storePart(
      { namespace: values.namespace, parts, flowId: context.flowId },
      (namespace) => context.openSeparateStore(namespace, source),
      retrievalSettings({ ...values, metric, filter: joinFilters(values.filter, own) }, parts.reranker),
    )
  },
})
