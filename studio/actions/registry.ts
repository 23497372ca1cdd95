/** Something that a person can do here: a key, a button or the command palette runs it. */
export type Action = {
  /** Unique among the actions of the open screen. */
  id: string
  label: string
  /** The heading in the palette. */
  group: string
  /** The keys that run it, as a person reads them: `Ctrl S`. */
  keys?: string
  /** Other words under which the palette finds it. */
  words?: string
  run(): void
}

const sources = new Set<() => readonly Action[]>()

/** Makes actions known while a screen is open. The list is read when the palette opens. Gives a function that ends it. */
export function registerActions(list: () => readonly Action[]): () => void {
  sources.add(list)
  return () => void sources.delete(list)
}

/** The actions of the open screen, those of its innermost part first. */
export const registeredActions = (): Action[] => [...sources].reverse().flatMap((list) => list())
