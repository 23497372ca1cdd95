import type { EngineDifferences } from '../contract/engine-comparison.ts'

/** Whether an engine has what the ledger has. */
export const isSame = ({ missing, surplus, differing, damaged }: EngineDifferences): boolean =>
  missing.count + surplus.count + differing.count + damaged.count === 0
