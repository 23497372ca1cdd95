import type { FlowStores, NodeServices } from '../../contract/card.ts'
import type { FlowStore } from '../../contract/flow-store.ts'
import type { Variables } from '../../contract/variable.ts'
import { SluiceError } from '../../kit/errors.ts'
import type { Catalog } from '../catalog.ts'
import { flowSource } from '../find-flow.ts'
import { MISSING_STORE_HINT } from '../import/missing.ts'
import { planRetrieval } from '../plan-store.ts'
import { variableValues } from '../variables.ts'
import { documentStoreMark } from './mark.ts'

type FlowStoresOptions = {
  catalog: Catalog
  flows: Pick<FlowStore, 'find' | 'list'>
  variables: Variables
  environment(name: string): string | undefined
  /** The services of nodes, which have these stores in turn. */
  nodeServices(): NodeServices
}

/** For programs that search no stores of other flows. */
export const NO_OTHER_STORES: FlowStores = {
  async open(id) {
    const reason = `it uses the document store ${id}, which is not part of this command`
    throw new SluiceError('flow_cannot_query', { reason, hint: 'Name the document store itself' })
  },
  list: async () => [],
}

/** The stores of the flows of this server, for nodes of other flows. */
export function storesOfFlows(options: FlowStoresOptions): FlowStores {
  const { catalog, flows, variables, environment, nodeServices } = options
  return {
    async open(id, within) {
      const flow = await flows.find(id)
      if (!flow)
        throw new SluiceError('flow_cannot_query', {
          reason: `it uses the document store ${id || '(none)'}, which does not exist`,
          hint: MISSING_STORE_HINT,
        })
      const { openStore, openSeparateStore } = within
      const context = { catalog, nodeServices: { ...nodeServices(), openStore, openSeparateStore } }
      const values = await variableValues(variables, environment)
      const { part } = planRetrieval(context, flowSource(flow), { overrides: {}, variables: values })
      if (!part.open) return part
      throw new SluiceError('flow_cannot_query', {
        reason: `it uses the store of the flow ${flow.slug}, which has none of its own`,
        hint: 'Name the document store itself',
      })
    },
    async list() {
      const { rows } = await flows.list()
      return rows.flatMap(({ id, name, config }) => {
        const mark = documentStoreMark(config.apiConfig)
        return mark ? [{ id, name, description: mark.description }] : []
      })
    },
  }
}
