import type { RevisionAnswer, SavedRevisionAnswer } from '../../src/api/flow-revision.ts'
import { call } from './call.ts'
import type { Flow } from './flows.ts'

export type Revision = RevisionAnswer
export type SavedRevision = SavedRevisionAnswer

const all = (id: string) => `/api/v1/chatflows/${encodeURIComponent(id)}/revisions`

/** The revisions that are kept, newest first; the server keeps at most 100. */
export const listRevisions = async (id: string): Promise<Revision[]> =>
  (await call<{ data: Revision[] }>(all(id), { query: { limit: 100 } })).data

/** A revision with the flow as it was then. */
export const getRevision = (id: string, number: number): Promise<SavedRevision> =>
  call(`${all(id)}/${number}`)

/** Saves an earlier revision as the newest one. @throws ServerFailure 412 if there is a newer one than `newest` */
export const restoreRevision = (id: string, number: number, newest: number): Promise<Flow> =>
  call(`${all(id)}/${number}/restore`, { method: 'POST', revision: newest })
