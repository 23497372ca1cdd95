import type { PastUpsert } from '../../../server/upsert-history.ts'

/** What the address of the history holds: the page, the id of the open row or of its job, and which of its files are shown first. */
export type HistorySearch = { page?: number; record?: string; files?: 'failed' | 'empty' }

/** Reads the search parameters of the address; what it cannot hold is left out. */
export function readHistorySearch({ page, record, files }: Record<string, unknown>): HistorySearch {
  return {
    ...(typeof page === 'number' && Number.isInteger(page) && page > 1 ? { page } : {}),
    ...(typeof record === 'string' && record !== '' ? { record } : {}),
    ...(files === 'failed' || files === 'empty' ? { files } : {}),
  }
}

type Failure = { code: string; message: string }

/** The failure of a past upsert, or its counts: added, updated, skipped, deleted, files that failed and files without text. */
export function pastCounts({ result }: Pick<PastUpsert, 'result'>): {
  error: Failure | undefined
  counts: (number | undefined)[]
} {
  const { error } = result as { error?: Failure }
  const counts = ['numAdded', 'numUpdated', 'numSkipped', 'numDeleted', 'numFailed', 'numEmpty'].map(
    (name) => {
      const count = result[name]
      return typeof count === 'number' ? count : undefined
    },
  )
  return { error, counts }
}

export type UsedNode = { id: string; label: string; values: { name: string; label: string; value: string }[] }

type Described = {
  id?: unknown
  label?: unknown
  paramValues?: { name?: unknown; label?: unknown; value?: unknown }[]
}

/** The nodes of a past upsert, each with the inputs that were set. */
export function usedNodes({ flowData }: Pick<PastUpsert, 'flowData'>): UsedNode[] {
  return (flowData as Described[]).map(({ id, label, paramValues = [] }) => ({
    id: String(id),
    label: String(label),
    values: paramValues.map((input) => ({
      name: String(input.name),
      label: String(input.label),
      value: typeof input.value === 'string' ? input.value : JSON.stringify(input.value),
    })),
  }))
}
