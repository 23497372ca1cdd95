import type { RerankingModel as AnyModel } from 'ai'

/** A reranking model of the Vercel AI SDK. */
export type RerankingModel = Extract<Exclude<AnyModel, string>, { specificationVersion: 'v4' }>
