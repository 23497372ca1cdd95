import { anchor, anchors } from '../../cards/anchors.ts'
import { defineNode } from '../../cards/define-node.ts'
import { ANSWER_FROM_DOCUMENTS } from './conversational-retrieval-qa-chain.ts'

export const retrievalQAChain = defineNode({
  kind: 'answerer',
  name: 'retrievalQAChain',
  label: 'Retrieval QA Chain',
  version: 2,
  category: 'Chains',
  type: 'RetrievalQAChain',
  baseClasses: ['RetrievalQAChain', 'BaseChain', 'Runnable'],
  description: 'Answers each question from the documents of a vector store, without the conversation',
  fields: {},
  anchors: {
    model: anchor('chatModel', 'Language Model', 'BaseChatModel'),
    vectorStoreRetriever: anchor('vectorStore', 'Vector Store Retriever', 'BaseRetriever'),
    inputModeration: anchors('moderation', 'Input Moderation', 'Moderation'),
  },
  build: ({ parts: { model, vectorStoreRetriever, inputModeration } }) => ({
    type: 'retrievalChain',
    model: model!,
    moderations: inputModeration,
    retriever: vectorStoreRetriever!,
    returnSourceDocuments: false,
    rewritesQuestion: false,
    rephrasePrompt: '',
    responsePrompt: ANSWER_FROM_DOCUMENTS,
  }),
})
