import { anchor, anchors } from '../../cards/anchors.ts'
import { defineNode } from '../../cards/define-node.ts'
import { flagField } from '../../cards/field.ts'
import { InputError } from '../../cards/input-error.ts'
import { requireToolCalls } from '../calls-tools.ts'

const RESPOND = `Answer the question from documents only. Search where the description fits the question, in several places if need be.
If the passages that you find do not contain the answer, say that you do not know. Answer in the language of the question.`

export const multiRetrievalQAChain = defineNode({
  kind: 'answerer',
  name: 'multiRetrievalQAChain',
  label: 'Multi Retrieval QA Chain',
  version: 2,
  category: 'Chains',
  type: 'MultiRetrievalQAChain',
  baseClasses: ['MultiRetrievalQAChain', 'MultiRouteChain', 'BaseChain', 'Runnable'],
  description: 'Lets a chat model search those of several vector stores that fit a question, then answer',
  fields: {
    returnSourceDocuments: flagField('Return Source Documents', false, { main: true }),
  },
  anchors: {
    model: anchor('chatModel', 'Tool Calling Chat Model', 'BaseChatModel'),
    vectorStoreRetriever: anchors('tools', 'Vector Store Retriever', 'NamedRetriever'),
    inputModeration: anchors('moderation', 'Input Moderation', 'Moderation'),
  },
  build({ values: { returnSourceDocuments }, parts: { model, vectorStoreRetriever, inputModeration } }) {
    requireToolCalls(model)
    if (vectorStoreRetriever.length === 0)
      throw new InputError('vectorStoreRetriever', 'nothing is plugged in that could be searched')
    return {
      type: 'toolAgent',
      model: model!,
      moderations: inputModeration,
      tools: vectorStoreRetriever,
      systemMessage: RESPOND,
      maxIterations: 15,
      asksBeforeChanges: false,
      hidesSources: !returnSourceDocuments,
    }
  },
})
