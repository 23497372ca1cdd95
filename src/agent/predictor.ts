import { isAgentFlow, readGraph } from '../flow/graph.ts'
import { chatStreams } from '../flow/plan-prediction.ts'
import { SluiceError } from '../kit/errors.ts'
import { prepareAgentFlow } from './agentflow/prepare.ts'
import type { AgentGround, AgentHouse } from './house.ts'
import type { Predictor } from './predict.ts'
import { maskedRun } from './masked-run.ts'
import { prepareChat } from './prepare-chat.ts'

export function createPredictor(ground: AgentGround): Predictor {
  const house: AgentHouse = {
    ...ground,
    async prepare(flow, ask) {
      const prepare = isAgentFlow(readGraph(flow.flowData)) ? prepareAgentFlow : prepareChat
      const own = inConversation(house, ask.chatId)
      return maskedRun(own, (masked) => prepare(masked, flow, ask))
    },
  }
  return {
    prepare: house.prepare,
    streams(flow) {
      try {
        return isAgentFlow(readGraph(flow.flowData)) || chatStreams(flow, house.catalog)
      } catch (error) {
        if (error instanceof SluiceError) return false
        throw error
      }
    },
  }
}

/** The same house, whose searches also find the files of one conversation. */
const inConversation = (house: AgentHouse, chatId: string): AgentHouse => ({
  ...house,
  nodeServices: {
    ...house.nodeServices,
    retrieve: (part, query, narrowing, signal) =>
      house.nodeServices.retrieve(part, query, { ...narrowing, chatId }, signal),
  },
})
