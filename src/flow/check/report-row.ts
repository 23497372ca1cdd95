import type { SluiceError } from '../../kit/errors.ts'

/**
 * How a line of a report matters. `unsupported`: this server does not have it, and the flow cannot run with it. `needed`: the flow
 * runs once it is supplied or set. `changed`: the flow runs, but not as where it was exported. `dropped`: it has no effect here.
 * `note`: worth knowing.
 */
export const SEVERITIES = ['unsupported', 'needed', 'changed', 'dropped', 'note'] as const
export type Severity = (typeof SEVERITIES)[number]

/** A line of the report on a flow, in the import, in a check and in the studio alike. */
export type ReportRow = {
  /** The node; null where it is about the whole flow or export. */
  nodeId: string | null
  /** The label of the node, or the name of the thing of the export; null for the whole flow. */
  node: string | null
  /** The name of the input, `agentModel.modelName` for one of a part; null for the whole node. */
  input: string | null
  severity: Severity
  /** What it is, as a sentence. No value of an input that may be a secret. */
  what: string
  /** What to do or to use instead, as a sentence; null where `what` says it. */
  instead: string | null
}

/** Whether a flow runs: now, after what the rows with `needed` say, or not on this server. */
export const RUNS = ['yes', 'after', 'no'] as const
export type Runs = (typeof RUNS)[number]

export const runsWith = (rows: readonly ReportRow[]): Runs =>
  rows.some(({ severity }) => severity === 'unsupported')
    ? 'no'
    : rows.some(({ severity }) => severity === 'needed')
      ? 'after'
      : 'yes'

/** The rows with the gravest first; rows of a severity stay in their order. */
export const gravestFirst = (rows: readonly ReportRow[]): ReportRow[] =>
  rows.toSorted((one, other) => SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity))

/** What a refusal says beside its sentence: whether this server lacks the thing, and what to do. */
export function adviceOf({ code, facts }: SluiceError): Pick<ReportRow, 'severity' | 'instead'> {
  const { instead, hint } = facts
  const text = instead ?? hint ?? ADVICE[code]
  return {
    severity: instead === undefined ? 'needed' : 'unsupported',
    instead: text === undefined ? null : String(text),
  }
}

/** What to do about refusals that do not say it. */
const ADVICE: Partial<Record<SluiceError['code'], string>> = {
  credential_missing: 'Give the node a credential',
  credential_not_found: 'Choose a credential of this server',
  credential_wrong_kind: 'Choose a credential of that kind',
  file_not_stored: 'Choose the file again',
  flow_invalid: 'Correct the drawing',
}
