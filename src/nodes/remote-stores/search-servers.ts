import type { BuildContext } from '../../contract/card.ts'
import type { CredentialData } from '../../contract/credential-store.ts'
import { defineNode } from '../../cards/define-node.ts'
import { choiceField, credentialField, textField } from '../../cards/field.ts'
import type { Metric } from '../../contract/retrieval.ts'
import { SluiceError } from '../../kit/errors.ts'
import { lazyEngine } from '../../stores/lazy-engine.ts'
import { remoteCapabilities } from '../../stores/remote/capabilities.ts'
import type { EngineAccess } from '../../stores/remote/engine-server.ts'
import { beforeUse } from '../provider-key.ts'
import { collectionPrefix } from './engine-names.ts'
import { elasticsearchAccess, openSearchAccess } from './search-access.ts'
import { indexFields, indexOptions } from './index-fields.ts'
import type { IndexOptions } from '../../stores/remote/index-options.ts'
import { remoteRetrievalFields, retrievalSettings } from '../stores/retrieval-fields.ts'
import { namespaceField, storeAnchors, storePart } from '../stores/store-fields.ts'

const category = 'Vector Stores'
const indexName = textField('Index Name', undefined, {
  main: true,
  guard: 'table',
  description: 'The names of the indexes of this server begin with it. Other indexes are not touched',
})
const namespace = { ...namespaceField, additional: true }

type Place = {
  product: string
  credential: string | undefined
  prefix: string
  metric: Metric
  index: IndexOptions
}

/** An engine whose address and key are in a credential. `accessIn` reads them. */
function engineOf(
  { product, credential, prefix, metric, index }: Place,
  context: BuildContext,
  accessIn: (values: CredentialData) => EngineAccess,
) {
  const open = beforeUse(async () => {
    if (credential === undefined)
      throw new SluiceError('credential_missing', { node: context.nodeId, reason: 'it has none' })
    return accessIn(await context.credential(credential))
  }, context)
  const name = `${product.toLowerCase()} ${prefix} ${metric}`
  return {
    name,
    key: JSON.stringify([credential, index]),
    create: () =>
      lazyEngine({ name, capabilities: remoteCapabilities('searchServer', metric) }, async () => {
        const [{ searchServerEngine }, { engineServer }] = await Promise.all([
          import('../../stores/remote/search-server.ts'),
          import('../../stores/remote/engine-server.ts'),
        ])
        const server = engineServer({
          timeoutMs: context.settings.ENGINE_TIMEOUT * 1000,
          egress: context.egress,
          provider: product,
          keyHint: 'Check the credential of the node',
          open,
        })
        return searchServerEngine({ name, server, metric, indexPrefix: prefix, index })
      }),
  }
}

export const openSearchStore = defineNode({
  kind: 'vectorStore',
  name: 'openSearch',
  label: 'OpenSearch',
  version: 3,
  category,
  type: 'OpenSearch',
  baseClasses: ['OpenSearch', 'VectorStoreRetriever', 'BaseRetriever'],
  description:
    'Stores vectors and words in OpenSearch, and searches both there. What is visible is decided by this server',
  fields: {
    credential: credentialField('Connect Credential', ['openSearchUrl', 'openSearchAws']),
    indexName,
    namespace,
    ...indexFields,
    ...remoteRetrievalFields,
  },
  anchors: storeAnchors,
  build({ values, parts }, context) {
    const prefix = collectionPrefix(values.indexName, 'indexName').toLowerCase()
    const { credential } = values
    const metric = 'cosine'
    const source = engineOf(
      { product: 'OpenSearch', credential, prefix, metric, index: indexOptions(values) },
      context,
      openSearchAccess,
    )
    return storePart(
      { namespace: values.namespace, parts, flowId: context.flowId },
      (own) => context.openSeparateStore(own, source),
      retrievalSettings({ ...values, metric }, parts.reranker),
    )
  },
})

const SIMILARITIES = { l2_norm: 'euclidean', dot_product: 'dot', cosine: 'cosine' } as const

export const elasticsearchStore = defineNode({
  kind: 'vectorStore',
  name: 'elasticsearch',
  label: 'Elasticsearch',
  version: 2,
  category,
  type: 'Elasticsearch',
  baseClasses: ['Elasticsearch', 'VectorStoreRetriever', 'BaseRetriever'],
  description:
    'Stores vectors and words in Elasticsearch, and searches both there. What is visible is decided by this server',
  fields: {
    credential: credentialField('Connect Credential', ['elasticsearchApi', 'elasticSearchUserPassword']),
    indexName,
    namespace,
    similarity: choiceField('Similarity', ['l2_norm', 'dot_product', 'cosine'], 'l2_norm', {
      additional: true,
      description: 'How vectors are compared; fixed when an index is created',
    }),
    ...indexFields,
    ...remoteRetrievalFields,
  },
  anchors: storeAnchors,
  build({ values, parts }, context) {
    const prefix = collectionPrefix(values.indexName, 'indexName').toLowerCase()
    const metric = SIMILARITIES[values.similarity]
    const source = engineOf(
      {
        product: 'Elasticsearch',
        credential: values.credential,
        prefix,
        metric,
        index: indexOptions(values),
      },
      context,
      elasticsearchAccess,
    )
    return storePart(
      { namespace: values.namespace, parts, flowId: context.flowId },
      (own) => context.openSeparateStore(own, source),
      retrievalSettings({ ...values, metric }, parts.reranker),
    )
  },
})
