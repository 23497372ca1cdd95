import { countText } from '../../parts/units.ts'
import type { DocumentStore, StoreLoader } from '../../server/document-stores.ts'
import type { Job } from '../../server/jobs.ts'

/** A state in words. `tone` gives the colour; `why` says more, in a sentence. */
export type StateWords = { word: string; tone: 'good' | 'busy' | 'warning' | 'bad' | 'quiet'; why?: string }

/** The state of a document store. What keeps it from being used comes first, then what runs, then what failed. */
export function storeWords({ status, problem, lastUpsert, loaders }: DocumentStore): StateWords {
  if (problem !== null) return { word: 'cannot be used', tone: 'bad', why: problem }
  if (status === 'UPSERTING') return { word: 'loading', tone: 'busy' }
  if (status === 'EMPTY') return { word: 'empty', tone: 'quiet' }
  if (lastUpsert?.state === 'failed')
    return { word: 'last load failed', tone: 'bad', ...reason(lastUpsert.error?.message) }
  if (lastUpsert && lastUpsert.failed > 0)
    return { word: `${countText(lastUpsert.failed, 'file')} failed`, tone: 'warning' }
  if (status !== 'STALE') return { word: 'loaded', tone: 'good' }
  const fresh = loaders.filter((loader) => loader.status === 'NEW').length
  if (fresh === loaders.length) return { word: 'nothing loaded yet', tone: 'quiet' }
  return {
    word: 'not up to date',
    tone: 'warning',
    why:
      fresh > 0
        ? `${countText(fresh, 'loader')} not loaded yet`
        : 'Something was set otherwise since it was loaded. Refresh loads it again',
  }
}

const reason = (why: string | undefined) => (why === undefined ? {} : { why })

/** The state of a loader. @param last its newest job that has ended, where one is known */
export function loaderWords(
  { id, status, documents }: Pick<StoreLoader, 'id' | 'status' | 'documents'>,
  last: Pick<Job, 'state' | 'error' | 'nodes'> | undefined,
): StateWords {
  if (status === 'SYNCING') return { word: 'loading', tone: 'busy' }
  if (last?.state === 'failed') return { word: 'failed', tone: 'bad', ...reason(last.error?.message) }
  const errors = last?.nodes.find((node) => node.id === id)?.errors ?? 0
  if (errors > 0 && documents === 0)
    return { word: 'failed', tone: 'bad', why: `${countText(errors, 'file')} failed` }
  if (status === 'STALE')
    return { word: 'stale', tone: 'warning', why: 'It was set otherwise since it was loaded' }
  if (errors > 0) return { word: `${countText(errors, 'file')} failed`, tone: 'warning' }
  return status === 'NEW'
    ? { word: 'new', tone: 'quiet', why: 'Nothing is loaded yet' }
    : { word: 'loaded', tone: 'good' }
}
