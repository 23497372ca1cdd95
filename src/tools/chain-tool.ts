import type { Tool } from '../contract/tool.ts'
import { failedCall } from './call.ts'

export type ChainTool = {
  /** A name that providers accept. */
  name: string
  description: string
  returnDirect: boolean
  /** The part of the chain, which the run answers with. */
  chain: object
}

/** A chain of the flow as a tool: the model gives a question and reads the answer. */
export const toolOfChain = ({ name, description, returnDirect, chain }: ChainTool): Tool => ({
  name,
  description,
  parameters: {
    type: 'object',
    properties: { input: { type: 'string', description: 'The question' } },
    required: ['input'],
    additionalProperties: false,
  },
  ...(returnDirect ? { returnDirect: true } : {}),
  async call({ input }, signal, context) {
    if (typeof input !== 'string' || input.trim() === '') return failedCall('input is missing')
    if (!context?.answerWith) return failedCall('no chain runs here')
    return context.answerWith(chain, input, signal)
  },
})
