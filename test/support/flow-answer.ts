import type { FlowAnswer } from '../../src/api/flow.ts'
import type { PredictionAnswer } from '../../src/api/prediction.ts'

/** A flow, as managers get it. */
export const flowAnswer = (changes: Partial<FlowAnswer> = {}): FlowAnswer => ({
  id: '6f1c',
  slug: 'quickstart',
  name: 'Quickstart',
  type: 'CHATFLOW',
  category: null,
  createdDate: '2026-08-22T10:11:12.000Z',
  updatedDate: '2026-08-22T10:11:12.000Z',
  revision: 1,
  flowData: '{"nodes":[],"edges":[]}',
  deployed: null,
  isPublic: null,
  apikeyid: null,
  apiConfig: null,
  chatbotConfig: null,
  analytic: null,
  speechToText: null,
  textToSpeech: null,
  followUpPrompts: null,
  ...changes,
})

export const predictionAnswer = (changes: Partial<PredictionAnswer> = {}): PredictionAnswer => ({
  text: 'Hello',
  chatId: 'c-2',
  chatMessageId: 'm-2',
  sessionId: 'c-2',
  isStreamValid: false,
  ...changes,
})

/** A call of a tool, as in an answer. */
export const usedTool = (tool: string, error?: string) => ({
  tool,
  toolInput: {},
  toolOutput: '',
  ...(error === undefined ? {} : { error }),
})
