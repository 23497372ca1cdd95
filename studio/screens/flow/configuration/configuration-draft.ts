import { createStore, type StoreApi } from 'zustand'
import type { JsonObject } from '../../../drawing/flow-file.ts'
import type { Flow } from '../../../server/flows.ts'
import { isSame, mergeJson } from './merge-json.ts'

/** The settings of a flow that are not in its drawing. */
export type Configuration = {
  /** Overrides and rate limit. */
  apiConfig: JsonObject
  /** Allowed origins and the chat window. */
  chatbotConfig: JsonObject
  /** The id of the key that callers need; null for an open flow. */
  apikeyid: string | null
  /** Whether the flow has a chat page for everybody. */
  isPublic: boolean
}

/** What is sent to the server: the members that were changed. */
export type ConfigurationPatch = Partial<Configuration>

/** The configuration of an open flow with its changes that are not saved. It stays while another tab of the flow is open. */
export type ConfigurationDraft = {
  stored: Configuration
  now: Configuration
  change(part: ConfigurationPatch): void
  /** The server has this version: changes that were made here since `sent` stay, as do those of others. */
  takeOver(flow: Flow, sent?: Configuration): void
  discard(): void
}

export type ConfigurationDraftStore = StoreApi<ConfigurationDraft>

export function createConfigurationDraft(flow: Flow): ConfigurationDraftStore {
  const opened = configurationOf(flow)
  return createStore<ConfigurationDraft>((set, get) => ({
    stored: opened,
    now: opened,
    change: (part) => set({ now: { ...get().now, ...part } }),
    takeOver(saved, sent) {
      const stored = configurationOf(saved)
      const { stored: before, now } = get()
      set({ stored, now: mergeConfiguration(sent ?? before, now, stored) })
    },
    discard: () => set({ now: get().stored }),
  }))
}

export function configurationOf({ apiConfig, chatbotConfig, apikeyid, isPublic }: Flow): Configuration {
  return {
    apiConfig: readObject(apiConfig),
    chatbotConfig: readObject(chatbotConfig),
    apikeyid: apikeyid || null,
    isPublic: isPublic === true,
  }
}

function readObject(text: string | null): JsonObject {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}
  } catch {
    return {}
  }
}

/** The changes; an empty object where there are none. */
export function configurationPatch({
  stored,
  now,
}: Pick<ConfigurationDraft, 'stored' | 'now'>): ConfigurationPatch {
  return {
    ...(isSame(stored.apiConfig, now.apiConfig) ? {} : { apiConfig: now.apiConfig }),
    ...(isSame(stored.chatbotConfig, now.chatbotConfig) ? {} : { chatbotConfig: now.chatbotConfig }),
    ...(stored.apikeyid === now.apikeyid ? {} : { apikeyid: now.apikeyid }),
    ...(stored.isPublic === now.isPublic ? {} : { isPublic: now.isPublic }),
  }
}

export const hasConfigurationChanges = (draft: Pick<ConfigurationDraft, 'stored' | 'now'>): boolean =>
  Object.keys(configurationPatch(draft)).length > 0

const mergeConfiguration = (base: Configuration, mine: Configuration, theirs: Configuration): Configuration =>
  mergeJson(base, mine, theirs) as Configuration
