import { NO_CUSTOM_TOOLS } from '../../src/flow/named-tools.ts'
import { NO_OTHER_STORES } from '../../src/flow/document-stores/flow-stores.ts'
import type { BuildContext } from '../../src/contract/card.ts'
import { readConfig } from '../../src/kit/config.ts'
import { createEgress } from '../../src/kit/egress/client.ts'
import { createEgressRules } from '../../src/kit/egress/rules.ts'
import { SluiceError } from '../../src/kit/errors.ts'

type Given = Pick<BuildContext, 'parser' | 'openStore'> & Partial<BuildContext>

/** The services of a node, for a test that builds one without a platform: no network, no folders, no credentials. */
export function lend(given: Given): BuildContext {
  return {
    flowId: 'flow',
    nodeId: 'node',
    scratch: 'nowhere',
    folders: { allowed: [], never: [] },
    egress: createEgress({ rules: createEgressRules({ deny: ['0.0.0.0/0', '::/0'] }) }),
    credential: async (id) => {
      throw new SluiceError('credential_not_found', { id })
    },
    settings: readConfig({ environment: {} }),
    flowStores: NO_OTHER_STORES,
    customTools: NO_CUSTOM_TOOLS,
    retrieve: async () => [],
    openSeparateStore: (namespace) => given.openStore(namespace),
    ...given,
  }
}
