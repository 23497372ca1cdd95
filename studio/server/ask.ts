import type { QueryAnswer } from '../../src/api/query-answer.ts'
import type { FieldAnswer } from '../../src/api/source.ts'
import { call } from './call.ts'

export type FlowHits = QueryAnswer
export type ExpectedFound = NonNullable<QueryAnswer['expected']>
export type Hit = QueryAnswer['docs'][number]
export type MetadataField = FieldAnswer

/** The settings of a question; what is left out is set by the flow. */
export type Question = {
  query: string
  mode?: 'hybrid' | 'vector' | 'keyword' | undefined
  weight?: number | undefined
  topK?: number | undefined
  rerank?: boolean | undefined
  rescore?: boolean | undefined
  spelling?: boolean | undefined
  filter?: object | undefined
  /** What the answer should have: it says where that is. */
  expect?: { source: string } | { chunk: string } | undefined
}

/** The chunks that match a question, each with its best sentence and the parts of its score. */
export const queryFlow = (flowId: string, question: Question): Promise<FlowHits> =>
  call(`/api/v1/vector/query/${encodeURIComponent(flowId)}`, {
    method: 'POST',
    body: { ...question, highlight: true, explain: true },
  })

/** The metadata fields that a filter can name, with some of their values. */
export const metadataFields = async (flowId: string): Promise<MetadataField[]> =>
  (await call<{ data: MetadataField[] }>(`/api/v1/vector/fields/${encodeURIComponent(flowId)}`)).data
