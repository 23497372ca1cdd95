import { readReplicateModel, replicateChatModel } from '../../chat/replicate.ts'
import { defineNode } from '../../cards/define-node.ts'
import { credentialField, numberField, objectField, textField } from '../../cards/field.ts'
import { InputError } from '../../cards/input-error.ts'
import { requiredKeyReader } from '../provider-key.ts'
import { chatModelCard, maxTokensField, omitUndefined, topPField } from './chat-model-fields.ts'

const additional = { additional: true }

export const replicate = defineNode({
  ...chatModelCard,
  name: 'replicate',
  label: 'Replicate',
  version: 2,
  type: 'Replicate',
  baseClasses: ['Replicate', 'BaseChatModel', 'LLM', 'BaseLLM', 'BaseLanguageModel', 'Runnable'],
  description:
    'A model that runs on Replicate: it gets a prompt, and answers with a text or with the addresses of pictures',
  fields: {
    credential: credentialField('Connect Credential', ['replicateApi']),
    model: textField('Model', undefined, { main: true, description: 'OWNER/NAME or OWNER/NAME:VERSION' }),
    temperature: numberField('Temperature', 0.7, { min: 0, max: 5 }, { main: true }),
    maxTokens: maxTokensField(),
    topP: topPField(),
    repetitionPenalty: numberField('Repetition Penalty', undefined, { min: 0.01, max: 5 }, additional),
    additionalInputs: objectField('Additional Inputs', {
      ...additional,
      description: 'Inputs of the model by their names there, such as max_new_tokens',
    }),
  },
  build({ values }, context) {
    const model = readReplicateModel(values.model ?? '')
    if (model === undefined)
      throw new InputError('model', 'a model is needed, as OWNER/NAME or OWNER/NAME:VERSION')
    const sources = { nodeKey: undefined, credential: values.credential, field: 'replicateApiKey' }
    return replicateChatModel({
      egress: context.egress,
      model,
      apiKey: requiredKeyReader(sources, undefined, context),
      inputs: {
        ...omitUndefined({
          temperature: values.temperature,
          max_length: values.maxTokens,
          top_p: values.topP,
          repetition_penalty: values.repetitionPenalty,
        }),
        ...values.additionalInputs,
      },
    })
  },
})
