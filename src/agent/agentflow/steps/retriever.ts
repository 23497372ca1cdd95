import type { StepPart } from '../../../contract/step.ts'
import { storeOfFlow } from '../knowledge.ts'
import type { StepContext, StepResult } from '../step-context.ts'

type Step = Extract<StepPart, { type: 'retriever' }>

/** Searches the stores of flows. The chunks of the first flow come first. */
export async function runRetriever(step: Step, { runtime, signal }: StepContext): Promise<StepResult> {
  const { flows, query, withMetadata, updateState } = step
  const found = await Promise.all(
    flows.map(async (flow) =>
      runtime.nodeServices.retrieve(await storeOfFlow(flow, runtime), query, {}, signal),
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
