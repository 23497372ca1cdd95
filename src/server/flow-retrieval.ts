import type { FlowRow } from '../contract/flow-store.ts'
import { planRetrieval, type RetrievalRequest } from '../flow/plan-retrieval.ts'
import { variableValues } from '../flow/scope.ts'
import { flowEnvironment } from '../kit/config.ts'
import { flowSource } from './flow-row.ts'
import type { Platform } from './platform.ts'

/** The retrieval half of a flow, its variables filled in: the fence of a store holds whoever asks. */
export const flowRetrieval = async (
  { catalog, nodeServices, variables }: Platform,
  flow: FlowRow,
  request: Omit<RetrievalRequest, 'variables'>,
) =>
  planRetrieval(flowSource(flow), catalog, nodeServices, {
    ...request,
    variables: variableValues(await variables.list(), flowEnvironment),
  })
