import { defineNode } from '../../cards/define-node.ts'
import { credentialField, numberField, secretField, textField } from '../../cards/field.ts'
import { httpReranker } from '../../rerank/http-reranker.ts'
import { keyReader } from '../provider-key.ts'
import { mayCall } from '../may-call.ts'
import { InputError } from '../../cards/input-error.ts'

export const rerankerCustom = defineNode({
  kind: 'reranker',
  name: 'rerankerCustom',
  label: 'Reranker Custom',
  version: 1,
  category: 'Rerankers',
  type: 'Reranker',
  baseClasses: ['Reranker'],
  description: 'Reranks the chunks that a vector store finds, with any model behind Cohere’s protocol',
  fields: {
    credential: credentialField('Connect Credential', ['localAIApi']),
    localAIApiKey: secretField('API Key'),
    basePath: textField('Base Path', undefined, {
      main: true,
      guard: 'url',
      description: 'The address without /rerank, such as http://localhost:8080/v1',
    }),
    modelName: textField('Model Name', undefined, { main: true }),
    timeout: numberField(
      'Timeout',
      undefined,
      { whole: true, min: 1, max: 600_000 },
      { additional: true, unit: 'ms', description: 'How long to wait for an answer' },
    ),
  },
  anchors: {},
  build({ values }, context) {
    const { basePath, modelName, timeout, localAIApiKey, credential } = values
    if (basePath === undefined) throw new InputError('basePath', 'a base path is needed')
    if (modelName === undefined) throw new InputError('modelName', 'a model name is needed')
    mayCall(context, basePath, 'basePath')
    return httpReranker({
      egress: context.egress,
      provider: 'The reranker',
      model: modelName,
      baseURL: basePath,
      apiKey: keyReader({ nodeKey: localAIApiKey, credential, field: 'localAIApiKey' }, context),
      timeoutMs: timeout,
      keyHint: 'Check the API key: the credential of the node',
    })
  },
})
