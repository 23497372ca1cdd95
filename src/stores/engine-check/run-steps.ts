import type { CheckedStep } from '../../contract/engine-check.ts'
import { reasonOf, SluiceError } from '../../kit/errors.ts'

/** What a step found: a sentence, or one with another outcome than `ok`. */
export type StepFinding = string | { outcome: 'no' | 'left out'; found: string }

export type EngineStep = {
  step: string
  /** Without it the steps after it make no sense. */
  isFoundation?: true
  /** @throws what the engine fails with; CheckFailure where it does something wrong */
  run(): Promise<StepFinding>
}

/** An engine has answered, and not as it must. The message says how. */
export class CheckFailure extends Error {}

export const leftOut = (found: string): StepFinding => ({ outcome: 'left out', found })

type RunOptions = {
  /** Stops between two calls. */
  signal: AbortSignal
  noted?: (step: CheckedStep) => void
  /** Milliseconds of a clock that is never set back. */
  now?: () => number
}

/**
 * Runs steps one after another. After a foundation that fails, and after a signal, the others are left out.
 *
 * @returns a row for each step
 */
export async function runSteps(
  steps: readonly EngineStep[],
  { signal, noted = () => {}, now = () => performance.now() }: RunOptions,
): Promise<CheckedStep[]> {
  const rows: CheckedStep[] = []
  let missing: string | undefined
  for (const step of steps) {
    const began = now()
    const why = signal.aborted ? 'interrupted' : missing && `${missing} failed`
    const row = why === undefined ? await outcomeOf(step) : { outcome: 'left out' as const, found: why }
    rows.push({ step: step.step, ...row, ms: Math.round(now() - began) })
    noted(rows.at(-1)!)
    if (row.outcome === 'failed' && step.isFoundation) missing ??= step.step
  }
  return rows
}

async function outcomeOf(step: EngineStep): Promise<Pick<CheckedStep, 'outcome' | 'found'>> {
  try {
    const found = await step.run()
    return typeof found === 'string' ? { outcome: 'ok', found } : found
  } catch (error) {
    return { outcome: 'failed', found: failureText(error) }
  }
}

/** Why a call failed, and what to do where that is known. */
export function failureText(error: unknown): string {
  const hint = error instanceof SluiceError && error.facts.hint ? `. ${String(error.facts.hint)}` : ''
  return `${reasonOf(error)}${hint}`
}
