import type { ChosenFile } from '../../../parts/chosen-files.ts'

/** The files of a preview, of which single ones can be taken out of the upsert and put back. */
export type TakenOut = {
  /** Whether a source is a file that was chosen here. */
  isFile(source: string): boolean
  isOut(source: string): boolean
  /** How many were taken out. */
  count: number
  /** The files of the upsert after a source was taken out, or put back where it was. */
  toggled(source: string): ChosenFile[]
}

/**
 * @param previewed the files that the preview was made of
 * @param now those that would be loaded
 */
export function takenOut(previewed: readonly ChosenFile[], now: readonly ChosenFile[]): TakenOut {
  const all = new Set(previewed.map(({ path }) => path))
  const left = new Set(now.map(({ path }) => path))
  return {
    isFile: (source) => all.has(source),
    isOut: (source) => all.has(source) && !left.has(source),
    count: [...all].filter((path) => !left.has(path)).length,
    toggled: (source) => previewed.filter(({ path }) => (path === source ? !left.has(path) : left.has(path))),
  }
}
