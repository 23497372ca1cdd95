import type { FlowRow } from '../contract/flow-store.ts'
import { planRetrieval, type StoreRequest } from '../flow/plan-store.ts'
import { variableValues } from '../flow/scope.ts'
import { flowEnvironment } from '../kit/config.ts'
import { flowSource } from './flow-row.ts'
import type { Platform } from './platform.ts'

/** The store of a flow for queries, with the workspace's variables filled into its mandatory filter. */
export const flowRetrieval = async (
  platform: Platform,
  flow: FlowRow,
  request: Omit<StoreRequest, 'variables'>,
) =>
  planRetrieval(platform, flowSource(flow), {
    ...request,
    variables: await variableValues(platform.variables, flowEnvironment),
  })
