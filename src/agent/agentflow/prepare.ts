import type { FlowGraph } from '../../flow/graph.ts'
import type { FlowSource } from '../../flow/plan.ts'
import { SluiceError } from '../../kit/errors.ts'
import type { Ask, PreparedRun } from '../predict.ts'
import type { AgentHouse } from '../predictor.ts'

export async function prepareAgentFlow(
  _house: AgentHouse,
  _flow: FlowSource,
  _graph: FlowGraph,
  _ask: Ask,
): Promise<PreparedRun> {
  throw new SluiceError('flow_cannot_answer', { reason: 'it is an agent flow' })
}
