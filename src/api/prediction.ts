import { z } from 'zod'
import { jsonObject, jsonValue, warning } from './json.ts'

export const document = z.object({ pageContent: z.string(), metadata: jsonObject })

/** A chunk that an answer rests on; stores add what they know of it. */
export const sourceDocument = document.extend({
  id: z.string().optional(),
  score: z.number().optional(),
  scores: jsonObject.optional(),
  confidence: z.number().nullable().optional(),
})

export const usedTool = z.object({
  tool: z.string(),
  toolInput: jsonObject,
  toolOutput: z.string(),
  error: z.string().optional(),
})

export const executedNode = z.object({
  nodeId: z.string(),
  nodeLabel: z.string(),
  data: jsonObject,
  previousNodeIds: z.array(z.string()),
  status: z.enum(['INPROGRESS', 'FINISHED', 'STOPPED', 'ERROR', 'TERMINATED']),
})

/** What a person has to decide. */
export const pendingAction = z.object({
  id: z.string(),
  mapping: z.object({ approve: z.string(), reject: z.string() }),
  elements: z.array(z.object({ type: z.string(), label: z.string() })),
  data: jsonObject,
})

export const predictionAnswer = z.object({
  text: z.string(),
  json: jsonValue.optional(),
  question: z.string().optional(),
  chatId: z.string(),
  chatMessageId: z.string(),
  sessionId: z.string(),
  memoryType: z.string().optional(),
  sourceDocuments: z.array(sourceDocument).optional(),
  usedTools: z.array(usedTool).optional(),
  agentFlowExecutedData: z.array(executedNode).optional(),
  executionId: z.string().optional(),
  action: pendingAction.optional(),
  isStreamValid: z.boolean(),
  warnings: z.array(warning).optional(),
})
