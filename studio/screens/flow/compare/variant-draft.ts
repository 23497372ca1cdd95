import type { DrawnNode } from '../../../drawing/graph.ts'
import type { VariantRequest } from '../../../server/compare.ts'

/** A variant while it is chosen. `value` is typed text. */
export type VariantDraft =
  | { kind: 'live' }
  | { kind: 'unsaved' }
  | { kind: 'revision'; revision: number }
  | { kind: 'input'; node: string; input: string; value: string }

/** An input that a variant can have otherwise. */
export type ChangeableInput = {
  node: string
  input: string
  label: string
  value: string
  options: readonly string[]
}

/** What decides chunks and hits: loaders, splitters, embedders, rerankers and stores. */
const PARTS: ReadonlySet<string> = new Set(['vectorStore', 'splitter', 'loader', 'embedder', 'reranker'])

/** Kinds of inputs that can be typed here. Secrets and files are changed in the drawing. */
const TYPES: ReadonlySet<string> = new Set(['string', 'number', 'boolean', 'options'])

/** The inputs of a drawing that can be compared, those of splitters and stores first. */
export function changeableInputs(nodes: readonly DrawnNode[]): ChangeableInput[] {
  const order = ['splitter', 'vectorStore', 'reranker', 'embedder', 'loader']
  return nodes
    .filter(({ kind, known }) => known && PARTS.has(kind.part))
    .toSorted((one, other) => order.indexOf(one.kind.part) - order.indexOf(other.kind.part))
    .flatMap(({ id, label, fields, values }) =>
      fields
        .filter(({ type }) => TYPES.has(type))
        .map((field) => ({
          node: id,
          input: field.name,
          label: `${label}: ${field.label}`,
          value: textOf(values[field.name] ?? field.default),
          options:
            field.type === 'boolean' ? ['true', 'false'] : (field.options ?? []).map(({ name }) => name),
        })),
    )
}

const textOf = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value)

/** The name of a variant, by what it is. */
export function nameOfDraft(draft: VariantDraft, inputs: readonly ChangeableInput[]): string {
  if (draft.kind === 'live') return 'now live'
  if (draft.kind === 'unsaved') return 'this drawing'
  if (draft.kind === 'revision') return `revision ${draft.revision}`
  const label = inputs.find(({ node, input }) => node === draft.node && input === draft.input)?.label
  return `${label?.split(': ').at(-1) ?? draft.input} ${draft.value}`.slice(0, 60)
}

/** The variants as a request has them. A name that occurs again gets a number. @param drawing the drawing that is not saved */
export function requestOf(
  drafts: readonly VariantDraft[],
  inputs: readonly ChangeableInput[],
  drawing: string,
): VariantRequest[] {
  const taken = new Map<string, number>()
  return drafts.map((draft) => {
    const plain = nameOfDraft(draft, inputs)
    const times = (taken.get(plain) ?? 0) + 1
    taken.set(plain, times)
    const name = times === 1 ? plain : `${plain} (${times})`
    if (draft.kind === 'unsaved') return { name, flowData: drawing }
    if (draft.kind === 'revision') return { name, revision: draft.revision }
    if (draft.kind === 'input') return { name, inputs: { [`${draft.node}.${draft.input}`]: draft.value } }
    return { name }
  })
}
