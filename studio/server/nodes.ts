import type { NodeKindAnswer } from '../../src/api/node.ts'
import { call } from './call.ts'

/** Every kind of node of this server, in the order of its catalogue. */
export const listNodeKinds = (): Promise<NodeKindAnswer[]> => call('/api/v1/nodes')
