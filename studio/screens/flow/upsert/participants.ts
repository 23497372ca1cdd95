import { type DrawnNode, type Graph, participants } from '../../../drawing/graph.ts'
import { wiredStores } from '../../../drawing/problems.ts'
import { storedFileName, storedFiles } from '../../../drawing/stored-file.ts'

/** A vector store of a flow with what an upsert into it works with. */
export type StoreToLoad = {
  id: string
  label: string
  nodes: DrawnNode[]
  /** The endings of the files that its loaders take; undefined where no loader takes files. */
  takes: string | undefined
  /** The names of the files that the flow itself holds. */
  stored: string[]
  /** Whether a loader finds its documents by itself, such as pages of a web site. */
  fetches: boolean
}

export const storesToLoad = (graph: Graph): StoreToLoad[] =>
  wiredStores(graph).map((store) => {
    const nodes = participants(graph, store.id)
    const loaders = nodes.filter(({ kind }) => kind.baseClasses.includes('Document'))
    const inputs = loaders.flatMap((node) =>
      node.fields.filter(({ type }) => type === 'file').map((input) => ({ node, input })),
    )
    const takes = [
      ...new Set(inputs.flatMap(({ input }) => (input.fileType ?? '*').split(',').map((one) => one.trim()))),
    ]
    return {
      id: store.id,
      label: store.label,
      nodes,
      takes: inputs.length === 0 ? undefined : takes.join(', '),
      stored: inputs.flatMap(({ node, input }) => storedFiles(node.values[input.name]).map(storedFileName)),
      fetches: loaders.some((node) => node.fields.every(({ type }) => type !== 'file')),
    }
  })

/** Why an upsert cannot begin yet; undefined where it can. */
export function reasonToWait(store: StoreToLoad, files: number): string | undefined {
  if (files > 0 || store.stored.length > 0 || store.fetches) return undefined
  return 'Choose files first'
}

/** For the file picker: the endings, or undefined where any file may come. */
export const pickerEndings = (takes: string): string | undefined =>
  /\*|other text/.test(takes) ? undefined : takes.replaceAll(' ', '')
