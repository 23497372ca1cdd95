import { anchor, anchors } from '../../cards/anchors.ts'
import { defineNode } from '../../cards/define-node.ts'
import { flagField, textField } from '../../cards/field.ts'

const REPHRASE = `Write the last question of this conversation so that it can be understood without it, in its own language.
Answer with the question only.

Conversation:
{chat_history}

Last question: {question}
Question on its own:`

/** The prompt of chains that answer from documents. Contains `{context}`. */
export const ANSWER_FROM_DOCUMENTS = `Answer the question from the documents below only.
If they do not contain the answer, say that you do not know. Answer in the language of the question.
If the user asks for sources, name the source and place of the documents you used.

{context}`

export const conversationalRetrievalQAChain = defineNode({
  kind: 'answerer',
  name: 'conversationalRetrievalQAChain',
  label: 'Conversational Retrieval QA Chain',
  version: 3,
  category: 'Chains',
  type: 'ConversationalRetrievalQAChain',
  baseClasses: ['ConversationalRetrievalQAChain', 'BaseChain', 'Runnable'],
  description: 'Answers questions from the documents of a vector store and from the conversation',
  fields: {
    returnSourceDocuments: flagField('Return Source Documents', false, { main: true }),
    rewriteQuestion: flagField('Rewrite Question', true, {
      additional: true,
      description:
        'A model rewrites each question with its conversation before the search. Off: no call of the model, and the earlier questions are searched too, with less weight',
    }),
    rephrasePrompt: textField('Rephrase Prompt', REPHRASE, {
      additional: true,
      multiline: true,
      description:
        'Rewrites a question so that it can be understood without the conversation. Contains {chat_history} and {question}',
    }),
    responsePrompt: textField('Response Prompt', ANSWER_FROM_DOCUMENTS, {
      main: true,
      additional: true,
      multiline: true,
      description: 'Contains {context}, which is replaced by the documents that were found',
    }),
    systemMessagePrompt: textField('System Message', undefined, {
      additional: true,
      multiline: true,
      description: 'Older flows have this in place of the response prompt',
    }),
  },
  anchors: {
    model: anchor('chatModel', 'Chat Model', 'BaseChatModel'),
    vectorStoreRetriever: anchor('vectorStore', 'Vector Store Retriever', 'BaseRetriever'),
    memory: anchor('memory', 'Memory', 'BaseMemory', { optional: true }),
    inputModeration: anchors('moderation', 'Input Moderation', 'Moderation'),
  },
  build: ({ values, parts: { model, vectorStoreRetriever, memory, inputModeration } }) => ({
    type: 'retrievalChain',
    model: model!,
    retriever: vectorStoreRetriever!,
    ...(memory ? { memory } : {}),
    moderations: inputModeration,
    returnSourceDocuments: values.returnSourceDocuments,
    rewritesQuestion: values.rewriteQuestion,
    rephrasePrompt: values.rephrasePrompt,
    responsePrompt: promptWithContext(values.systemMessagePrompt ?? values.responsePrompt),
  }),
})

/** Adds the documents at the end of a prompt without `{context}`. */
export const promptWithContext = (prompt: string): string =>
  prompt.includes('{context}') ? prompt : `${prompt}\n\n{context}`
