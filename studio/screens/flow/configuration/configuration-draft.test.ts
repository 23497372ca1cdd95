import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Flow } from '../../../server/flows.ts'
import {
  configurationPatch,
  createConfigurationDraft,
  hasConfigurationChanges,
} from './configuration-draft.ts'

const flowWith = (apiConfig: object | null, apikeyid: string | null = null): Flow =>
  ({ apiConfig: apiConfig && JSON.stringify(apiConfig), chatbotConfig: null, apikeyid }) as Flow

test('a configuration draft sends only what was changed, and nothing once it is changed back', () => {
  const draft = createConfigurationDraft(flowWith({ rateLimit: { status: true } }, 'k'))
  assert.equal(hasConfigurationChanges(draft.getState()), false)
  draft.getState().change({ apikeyid: null })
  assert.deepEqual(configurationPatch(draft.getState()), { apikeyid: null })
  draft.getState().change({ apikeyid: 'k' })
  assert.equal(hasConfigurationChanges(draft.getState()), false)
  draft.getState().change({ chatbotConfig: { title: 'T' } })
  draft.getState().discard()
  assert.equal(hasConfigurationChanges(draft.getState()), false)
})

test('a configuration draft keeps its changes where the flow was saved elsewhere, and takes over those of others', () => {
  const draft = createConfigurationDraft(flowWith({ a: 1, b: 1 }))
  draft.getState().change({ apiConfig: { a: 2, b: 1 } })
  draft.getState().takeOver(flowWith({ a: 1, b: 3 }, 'k'))
  assert.deepEqual(draft.getState().now, {
    apiConfig: { a: 2, b: 3 },
    chatbotConfig: {},
    apikeyid: 'k',
    isPublic: false,
  })
  assert.deepEqual(configurationPatch(draft.getState()), { apiConfig: { a: 2, b: 3 } })
})

test('a configuration draft keeps what was typed while it was saved', () => {
  const draft = createConfigurationDraft(flowWith({ a: 1 }))
  draft.getState().change({ apiConfig: { a: 2 } })
  const sent = draft.getState().now
  draft.getState().change({ apiConfig: { a: 2, b: 5 } })
  draft.getState().takeOver(flowWith({ a: 2 }), sent)
  assert.deepEqual(configurationPatch(draft.getState()), { apiConfig: { a: 2, b: 5 } })
})
