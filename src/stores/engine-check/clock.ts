import type { StepFinding } from './run-steps.ts'

/** By so much clocks may differ; AWS refuses signatures beyond it. */
const LARGEST_MS = 5 * 60_000

/** @param times of the other side, in milliseconds since 1970, read just now */
export function clockFinding(times: readonly number[], now = Date.now()): StepFinding {
  const worst =
    times.map((time) => time - now).toSorted((one, other) => Math.abs(other) - Math.abs(one))[0] ?? 0
  if (Math.abs(worst) <= LARGEST_MS) return 'as the clock of this machine'
  const minutes = Math.round(Math.abs(worst) / 60_000)
  const span = minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`
  return {
    outcome: 'no',
    found: `its clock is ${span} ${worst > 0 ? 'ahead of' : 'behind'} that of this machine: certificates and signatures depend on it`,
  }
}
