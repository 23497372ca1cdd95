import { printTable } from '../support/table.ts'
import type { Figures } from './child.ts'

/** Of these axes more is better; of all others less is. */
const MORE_IS_BETTER = /^(?:rows\/s|recall)/

/** Figures of ours are behind those of a peer if they differ by more than this. */
const NOISE = 1.02

/** Prints the axes in which a peer is ahead of the first engine, the widest gap first, then all axes. */
export function printComparison(rows: number, measured: readonly [engine: string, Figures][]): void {
  const [ours, ...peers] = measured
  const axes = [...new Set(measured.flatMap(([, figures]) => Object.keys(figures)))]
  const behind = axes
    .flatMap((axis) => peers.map(([name, figures]) => ({ axis, name, gap: gapOf(axis, ours![1], figures) })))
    .filter(({ gap }) => gap > NOISE)
    .toSorted((a, b) => b.gap - a.gap)
  const title = `${rows.toLocaleString('en')} rows, in process`
  if (behind.length === 0) console.log(`${title}: no peer is ahead in any axis\n`)
  else {
    printTable([
      [`${title}: where a peer is ahead`, 'peer', 'times'],
      ...behind.map(({ axis, name, gap }) => [axis, name, gap]),
    ])
    console.log()
  }
  printTable([
    [title, ...measured.map(([name]) => name)],
    ...axes.map((axis) => [axis, ...measured.map(([, figures]) => figures[axis] ?? '-')]),
  ])
  console.log()
}

/** How many times better the figure of a peer is; 0 if one of them lacks the axis. */
function gapOf(axis: string, ours: Figures, theirs: Figures): number {
  const [mine, other] = [ours[axis], theirs[axis]]
  if (mine === undefined || other === undefined) return 0
  return MORE_IS_BETTER.test(axis) ? other / mine : mine / other
}
