import { apiKeyWrites } from './api-keys.ts'
import { flowWrites } from './flows.ts'
import { historyWrites } from './history.ts'
import { indexWrites } from './indexes.ts'
import { publishWrites } from './publish.ts'
import { settingWrites } from './settings.ts'
import { stageWrites } from './stage.ts'
import { sweepWrites } from './sweep.ts'

/** Everything that can be written. */
export const WRITES = {
  ...apiKeyWrites,
  ...flowWrites,
  ...historyWrites,
  ...indexWrites,
  ...publishWrites,
  ...settingWrites,
  ...stageWrites,
  ...sweepWrites,
} as const

export type WriteName = keyof typeof WRITES
export type WriteRequest<N extends WriteName> = Parameters<(typeof WRITES)[N]['run']>[1]
export type WriteResult<N extends WriteName> = ReturnType<(typeof WRITES)[N]['run']>
