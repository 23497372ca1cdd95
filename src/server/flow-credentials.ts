import type { CredentialStore } from '../contract/credential-store.ts'
import type { Catalog } from '../flow/catalog.ts'
import { namedCredentials, wrongCredentialKind } from '../flow/credentials.ts'
import { readGraph } from '../flow/graph.ts'

/**
 * Refuses a flow in which a node uses a credential of the wrong kind. A credential that does not exist is accepted: it can
 * be created after the flow.
 *
 * @throws SluiceError `credential_wrong_kind`, `flow_invalid`
 */
export async function checkCredentials(
  flowData: unknown,
  { catalog, credentials }: { catalog: Catalog; credentials: CredentialStore },
): Promise<void> {
  for (const { node, id, kinds } of namedCredentials(readGraph(flowData), catalog)) {
    const row = await credentials.find(id)
    if (row && !kinds.includes(row.kind)) throw wrongCredentialKind(node, kinds, row)
  }
}
