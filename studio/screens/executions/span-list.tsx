import { StepBody } from '../../parts/run-steps.tsx'
import { SpanBody, TimedSpans } from '../../parts/timed-spans.tsx'
import type { ExecutedNode } from '../../server/chat.ts'
import type { Execution, Span } from '../../server/executions.ts'

/** What an execution did, with the records of its nodes. */
export function SpanList({ execution }: { execution: Execution }) {
  const { spans, omittedSpans, createdDate, updatedDate } = execution
  return (
    <TimedSpans
      spans={spans}
      omittedSpans={omittedSpans}
      elapsed={Date.parse(updatedDate) - Date.parse(createdDate)}
      bodyOf={(span) =>
        span.kind === 'node' ? <StepBody {...nodeOf(execution, span)} /> : <SpanBody span={span} />
      }
    />
  )
}

/** The record of the node of a span: a node that ran several times has one for each, one that waited has one in all. */
function nodeOf({ executionData, spans }: Execution, { id, nodeId }: Span): Partial<ExecutedNode> {
  const records = executionData.filter((node) => node.nodeId === nodeId)
  const before = spans.filter((span) => span.kind === 'node' && span.nodeId === nodeId && span.id < id).length
  return records[before] ?? records.at(-1) ?? {}
}
