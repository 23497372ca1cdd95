import type { Json } from '../kit/json.ts'

/** Limits of a comparison: its variants with the baseline, the characters of a name, the changed inputs of a variant. */
export const COMPARISON_LIMITS = { least: 2, most: 8, name: 60, inputs: 50 }

/**
 * One way to draw a flow. Without a change it is the flow as it is stored. A drawing or a revision comes first, then the inputs:
 * `chunkSize` for every node that has it, or `recursiveCharacterTextSplitter_0.chunkSize` for one.
 */
export type ComparedDrawing = {
  name: string
  /** JSON text of `{nodes, edges}`. */
  flowData?: string | undefined
  revision?: number | undefined
  inputs?: Readonly<Record<string, Json>> | undefined
}

/** An input that a variant has otherwise. A value that is long, or may lead to a secret, is null. */
export type VariantChange = { nodeId: string; input: string; label: string; from: Json; to: Json }

/** How a variant was drawn. */
export type VariantDrawing = { revision: number | null; ownDrawing: boolean; changes: VariantChange[] }

/** How large a comparison may become: tokens that are sent to embedders of others, disk space of its indexes, time. */
export type ComparisonBounds = { tokens: number; megabytes: number; minutes: number }

/** What the indexes of a comparison were made of, by how their texts came: from kept files, or from the chunks that are stored. */
export type ComparedDocuments = {
  files: number
  texts: number
  /** Sources of which neither is there: how many, and the first names. */
  missing: { count: number; names: string[] }
}
