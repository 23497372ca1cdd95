import type { CheckedStep, CheckOutcome, EngineCheck } from '../contract/engine-check.ts'
import type { Paint, Style } from './paint.ts'
import { table } from './table.ts'

const STYLES: Partial<Record<CheckOutcome, Style>> = {
  ok: 'green',
  failed: 'red',
  no: 'yellow',
  'left out': 'dim',
}

/** A table of the steps, and a sentence that says whether flows can use the engine. */
export function engineCheckReport({ kind, experimental, steps, ok }: EngineCheck, paint: Paint): string {
  const rows = table<CheckedStep>(
    steps,
    [
      { title: 'step', value: ({ step }) => step, style: () => 'bold' },
      { title: 'outcome', value: ({ outcome }) => outcome, style: ({ outcome }) => STYLES[outcome] },
      { title: 'ms', value: ({ ms }) => ms, right: true },
      { title: 'found', value: ({ found }) => found },
    ],
    paint,
  )
  const verdict = ok ? `Flows can use this ${kind}.` : `Flows cannot use this ${kind} as it is.`
  const note = experimental
    ? ' Its node is experimental: the project has tested it with a server of its own only.'
    : ''
  return `${rows}\n${verdict}${note}\n`
}
