import type { StepPart } from '../../../contract/step.ts'
import { questionsOf } from '../../conversation.ts'
import { storeOfFlow } from '../knowledge.ts'
import type { StepContext, StepResult } from '../step-context.ts'

type Step = Extract<StepPart, { type: 'retriever' }>

/** Searches the stores of flows. The chunks of the first flow come first. */
export async function runRetriever(step: Step, { run, runtime, signal }: StepContext): Promise<StepResult> {
  const { flows, query, withMetadata, updateState } = step
  // The question of the person, which no model has rewritten: the questions before it are searched too.
  const narrowing = query.trim() === run.asked.question.trim() ? { history: questionsOf(run.past) } : {}
  const found = await Promise.all(
    flows.map(async (flow) =>
      runtime.nodeServices.retrieve(await storeOfFlow(flow, runtime), query, narrowing, signal),
    ),
  )
  const documents = found.flat()
  const content = withMetadata
    ? JSON.stringify(documents)
    : documents.map(({ pageContent }) => pageContent).join('\n\n')
  return {
    input: { question: query },
    output: { content, sourceDocuments: documents },
    documents,
    updateState,
  }
}
