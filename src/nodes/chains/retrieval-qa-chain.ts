import { anchor, anchors } from '../../cards/anchors.ts'
import { defineNode } from '../../cards/define-node.ts'
import { flagField, textField } from '../../cards/field.ts'
import { ANSWER_FROM_DOCUMENTS, promptWithContext } from './conversational-retrieval-qa-chain.ts'

export const retrievalQAChain = defineNode({
  kind: 'answerer',
  name: 'retrievalQAChain',
  label: 'Retrieval QA Chain',
  version: 2,
  category: 'Chains',
  type: 'RetrievalQAChain',
  baseClasses: ['RetrievalQAChain', 'BaseChain', 'Runnable'],
  description: 'Answers each question from the documents of a vector store, without the conversation',
  fields: {
    returnSourceDocuments: flagField('Return Source Documents', false, { main: true }),
    responsePrompt: textField('Response Prompt', ANSWER_FROM_DOCUMENTS, {
      additional: true,
      multiline: true,
      description: 'Contains {context}, which is replaced by the documents that were found',
    }),
  },
  anchors: {
    model: anchor('chatModel', 'Language Model', 'BaseChatModel'),
    vectorStoreRetriever: anchor('vectorStore', 'Vector Store Retriever', 'BaseRetriever'),
    inputModeration: anchors('moderation', 'Input Moderation', 'Moderation'),
  },
  build: ({
    values: { returnSourceDocuments, responsePrompt },
    parts: { model, vectorStoreRetriever, inputModeration },
  }) => ({
    type: 'retrievalChain',
    model: model!,
    moderations: inputModeration,
    retriever: vectorStoreRetriever!,
    returnSourceDocuments,
    rewritesQuestion: false,
    rephrasePrompt: '',
    responsePrompt: promptWithContext(responsePrompt),
  }),
})
