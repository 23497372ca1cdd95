import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DocumentStore } from '../../server/document-stores.ts'
import type { Job } from '../../server/jobs.ts'
import { loaderWords, storeWords } from './store-words.ts'

const loader = (status: string) => ({ id: 'l', status, documents: status === 'NEW' ? 0 : 1 })
const store = (more: object) =>
  ({
    status: 'UPSERTED',
    problem: null,
    lastUpsert: null,
    loaders: [loader('SYNC')],
    ...more,
  }) as DocumentStore
const failed = { state: 'failed', failed: 0, error: { code: 'x', message: 'No room' } }

test('storeWords() tells a problem before a load, a load before a failure, and a failure before the state', () => {
  const words = (more: object) => storeWords(store(more)).word
  const busy = { status: 'UPSERTING', lastUpsert: failed }
  assert.equal(words({ ...busy, problem: 'No embeddings' }), 'cannot be used')
  assert.equal(words(busy), 'loading')
  assert.deepEqual(storeWords(store({ status: 'STALE', lastUpsert: failed })), {
    word: 'last load failed',
    tone: 'bad',
    why: 'No room',
  })
  assert.equal(words({ lastUpsert: { ...failed, state: 'done', failed: 2 } }), '2 files failed')
  assert.equal(words({ lastUpsert: { ...failed, state: 'cancelled' } }), 'loaded')
  assert.equal(words({ status: 'EMPTY', loaders: [] }), 'empty')
  assert.equal(words({ status: 'STALE', loaders: [loader('NEW')] }), 'nothing loaded yet')
  assert.equal(
    storeWords(store({ status: 'STALE', loaders: [loader('NEW'), loader('SYNC')] })).why,
    '1 loader not loaded yet',
  )
})

test('loaderWords() tells new, loading, loaded, stale, and failed with the reason', () => {
  const job = (state: string, errors = 0) =>
    ({
      state,
      error: state === 'failed' ? failed.error : null,
      nodes: [{ id: 'l', errors }],
    }) as unknown as Job
  const words = (status: string, last?: Job) => loaderWords(loader(status) as never, last)
  assert.equal(words('NEW').word, 'new')
  assert.equal(words('SYNCING', job('failed')).word, 'loading')
  assert.equal(words('SYNC', job('done')).word, 'loaded')
  assert.equal(words('STALE', job('done')).word, 'stale')
  assert.deepEqual(words('NEW', job('failed')), { word: 'failed', tone: 'bad', why: 'No room' })
  assert.deepEqual(words('NEW', job('done', 3)), { word: 'failed', tone: 'bad', why: '3 files failed' })
  assert.equal(words('SYNC', job('done', 1)).word, '1 file failed')
})
