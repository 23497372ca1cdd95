import type { ComparedDrawing } from '../../contract/comparison.ts'
import type { FlowSource } from '../../flow/apply-request.ts'
import type { Looks } from '../verdict/looks.ts'
import type { VariantsProgress } from './run.ts'

/** A comparison over a collection, without a server. */
export type LocalComparison = {
  /** A flow of the data directory, by slug or id; or another one, without its credentials. */
  flow: string | FlowSource
  /** The folder of the collection. */
  collection: string
  /** The first is the baseline. Revisions are known to servers alone. */
  variants: readonly ComparedDrawing[]
  looks: Looks
  signal: AbortSignal
  onProgress(progress: VariantsProgress): void
}
