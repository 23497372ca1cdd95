import { test, type TestContext } from 'node:test'
import type { RowStores } from '../../src/backend/row-stores.ts'
import type { CredentialStore } from '../../src/contract/credential-store.ts'
import type { EnginePlaceStore } from '../../src/contract/engine-place-store.ts'
import type { FlowExecutionStore } from '../../src/contract/flow-execution-store.ts'
import type { FlowRow } from '../../src/contract/flow-store.ts'
import type { JobStore } from '../../src/contract/job.ts'

/** The repositories of one database. They are tested together: deleting a row of one removes rows of others. */
export type Repositories = Omit<RowStores, 'credentials' | 'enginePlaces'> & {
  jobs: JobStore
  flowExecutions: FlowExecutionStore
  credentials: CredentialStore
  enginePlaces: EnginePlaceStore
  /** Runs SQL without values that means the same in every dialect, to prepare rows of other tables. */
  sql(text: string): Promise<void>
}

/** Opens an empty database, which is closed and removed after the test. */
export type MakeRepositories = (t: TestContext) => Repositories | Promise<Repositories>

/** Declares the tests of a suite: each gets repositories of its own. */
export const promisesOf =
  (name: string, make: MakeRepositories) =>
  (promise: string, check: (repositories: Repositories) => Promise<void>): void =>
    void test(`${name} ${promise}`, async (t) => check(await make(t)))

export const flowRow = (id: string, changes: Partial<FlowRow> = {}): FlowRow => ({
  id,
  slug: id,
  name: `Flow ${id}`,
  type: 'CHATFLOW',
  flowData: '{"nodes":[],"edges":[]}',
  config: {},
  apiKeyId: null,
  createdAt: 1,
  updatedAt: 1,
  revision: 1,
  ...changes,
})

/** Stores a flow for each id, which is its slug, too. */
export async function insertFlows({ flows }: Repositories, ...ids: string[]): Promise<void> {
  for (const id of ids) await flows.insert(flowRow(id))
}
