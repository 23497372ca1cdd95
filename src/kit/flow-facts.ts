import type { LogFacts } from './log.ts'

/** A flow in a log line, the same in each: `flow` is its slug, `flowId` its id. A deleted flow has no slug. */
export const flowFacts = (flow: { id: string; slug?: string | undefined } | undefined): LogFacts =>
  flow === undefined ? {} : { ...(flow.slug === undefined ? {} : { flow: flow.slug }), flowId: flow.id }
