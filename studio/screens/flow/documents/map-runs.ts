import type { TraceBandAnswer } from '../../../../src/api/source-trace.ts'

export type BandKind = 'one' | 'several' | 'none' | 'blank'

/** Lines of one kind in a row: from `top` to before `bottom`, counted from 0. */
export type MapRun = { kind: BandKind; top: number; bottom: number }

/** What a band is shown as: the rarest thing that a line of it has. */
const kindOf = ({ none, several, one }: TraceBandAnswer): BandKind =>
  none > 0 ? 'none' : several > 0 ? 'several' : one > 0 ? 'one' : 'blank'

/** The bands of a text, with neighbours of one kind as one run. */
export function mapRuns(bands: readonly TraceBandAnswer[]): MapRun[] {
  const runs: MapRun[] = []
  for (const band of bands) {
    const kind = kindOf(band)
    const top = band.line - 1
    const last = runs.at(-1)
    if (last?.kind === kind) last.bottom = top + band.lines
    else runs.push({ kind, top, bottom: top + band.lines })
  }
  return runs
}

/** The number of the band that a position of the text is in. */
export const bandAt = (bands: readonly TraceBandAnswer[], position: number): number =>
  Math.max(
    0,
    bands.findLastIndex(({ start }) => start <= position),
  )
