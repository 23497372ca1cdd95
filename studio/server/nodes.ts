import type { NodeChoiceAnswer, NodeKindAnswer } from '../../src/api/node.ts'
import { call } from './call.ts'

/** Every kind of node of this server, in the order of its catalogue. */
export const listNodeKinds = (): Promise<NodeKindAnswer[]> => call('/api/v1/nodes')

export type NodeChoice = NodeChoiceAnswer

/** The choices of an input that depend on other inputs, such as the models of a provider. @throws ServerFailure */
export const loadChoices = (kind: string, loadMethod: string, inputs: object): Promise<NodeChoice[]> =>
  call(`/api/v1/node-load-method/${encodeURIComponent(kind)}`, {
    method: 'POST',
    body: { loadMethod, inputs },
  })
