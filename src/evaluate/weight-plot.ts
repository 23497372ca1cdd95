import type { Evaluation } from './run.ts'

const WIDTH = 720
const HEIGHT = 320
const PLOT = { left: 52, right: 72, top: 20, bottom: 46 }

/** nDCG@10 of hybrid search by its weight, beside the scores of each side alone, as an SVG drawing. */
export function weightPlot({ weights, bestWeight, weight, keyword, vector }: Evaluation): string {
  const heights = [...weights.map(({ ndcg10 }) => ndcg10), keyword.ndcg10, vector.ndcg10]
  const { ticks, low, high } = scale(Math.min(...heights), Math.max(...heights))
  const x = (at: number) => round(PLOT.left + at * (WIDTH - PLOT.left - PLOT.right))
  const y = (score: number) =>
    round(HEIGHT - PLOT.bottom - ((score - low) / (high - low)) * (HEIGHT - PLOT.top - PLOT.bottom))
  const best = weights.find((one) => one.weight === bestWeight)!
  const right = WIDTH - PLOT.right

  const alone = (mode: 'keyword' | 'vector', score: number, away: number) =>
    `<line class="alone ${mode}" x1="${PLOT.left}" x2="${right}" y1="${y(score)}" y2="${y(score)}"/>
<text class="${mode}" x="${right + 6}" y="${y(score) + away}">${mode}</text>`
  // Labels of two lines at the same height are moved apart.
  const close = Math.abs(y(keyword.ndcg10) - y(vector.ndcg10)) < 14
  const side = keyword.ndcg10 >= vector.ndcg10 ? 1 : -1

  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="nDCG@10 by weight; the best is ${bestWeight}">
${ticks
  .map(
    (tick) =>
      `<line class="grid" x1="${PLOT.left}" x2="${right}" y1="${y(tick.value)}" y2="${y(tick.value)}"/><text x="${PLOT.left - 8}" y="${y(tick.value) + 4}" text-anchor="end">${tick.label}</text>`,
  )
  .join('\n')}
${[0, 0.2, 0.4, 0.6, 0.8, 1]
  .map((at) => `<text x="${x(at)}" y="${HEIGHT - PLOT.bottom + 18}" text-anchor="middle">${at}</text>`)
  .join('\n')}
<text x="${x(0.5)}" y="${HEIGHT - 8}" text-anchor="middle">weight of the vectors</text>
<text x="0" y="${PLOT.top - 8}">nDCG@10</text>
<text x="${x(weight)}" y="${PLOT.top - 8}" text-anchor="middle">the flow</text>
${alone('keyword', keyword.ndcg10, close ? 4 - 7 * side : 4)}
${alone('vector', vector.ndcg10, close ? 4 + 7 * side : 4)}
<line class="current" x1="${x(weight)}" x2="${x(weight)}" y1="${PLOT.top}" y2="${HEIGHT - PLOT.bottom}"/>
<polyline class="curve" points="${weights.map((one) => `${x(one.weight)},${y(one.ndcg10)}`).join(' ')}"/>
<circle cx="${x(best.weight)}" cy="${y(best.ndcg10)}" r="5"/>
<text class="peak" x="${x(best.weight)}" y="${y(best.ndcg10) - 10}" text-anchor="middle">${best.ndcg10.toFixed(3)} at ${bestWeight}</text>
</svg>`
}

type Scale = { ticks: { value: number; label: string }[]; low: number; high: number }

/** An axis that includes both scores, with ticks at round numbers. */
function scale(least: number, most: number): Scale {
  const span = Math.max(most - least, 0.005)
  const step = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2].find((one) => span / one <= 6) ?? 0.2
  const first = Math.floor(least / step)
  const last = Math.max(Math.ceil((most + span * 0.1) / step), first + 1)
  const digits = step < 0.01 ? 3 : step < 0.1 ? 2 : 1
  const ticks = Array.from({ length: last - first + 1 }, (_, at) => {
    const value = (first + at) * step
    return { value, label: value.toFixed(digits) }
  })
  return { ticks, low: first * step, high: last * step }
}

const round = (pixels: number): number => Math.round(pixels * 10) / 10
