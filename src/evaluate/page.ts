import { type Mode, MODES } from '../contract/retrieval.ts'
import type { Evaluation, ModeResult } from './run.ts'
import { weightPlot } from './weight-plot.ts'

const NAMES: Record<Mode, string> = { keyword: 'Keyword', vector: 'Vector', hybrid: 'Hybrid' }

const COLUMNS = [
  ['nDCG@10', 'ndcg10'],
  ['Recall@10', 'recall10'],
  ['Recall@100', 'recall100'],
  ['MRR@10', 'mrr10'],
  ['p50', 'p50Ms'],
  ['p99', 'p99Ms'],
] as const

/** An evaluation as one HTML page without other files. */
export function evaluationPage(flow: string, evaluation: Evaluation): string {
  const { collection, documents, chunks, queries, weight, bestWeight } = evaluation
  const title = `${escapeHtml(flow)} on ${escapeHtml(collection)}`
  const count = (number: number) => number.toLocaleString('en')
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${STYLE}</style>
<main>
<h1>${title}</h1>
<p>${count(documents)} documents in ${count(chunks)} chunks, ${count(queries)} queries</p>
<div class="scroll"><table>
<tr><th>Search</th>${COLUMNS.map(([name]) => `<th>${name}</th>`).join('')}</tr>
${MODES.toReversed()
  .map((mode) => row(evaluation, mode))
  .join('\n')}
${plainRow(evaluation)}
</table></div>
<h2>Which weight should the vectors have?</h2>
${weightPlot(evaluation)}
<p>The best weight is <strong>${bestWeight}</strong>; the flow has ${weight}. At 0 only keywords count, at 1 only vectors. The plot is without rescoring.</p>
<p class="note">Several chunks of a document count as the best of them. Times are those of a query inside the process, its embedding included.</p>
</main>
</html>
`
}

function row(evaluation: Evaluation, mode: Mode): string {
  const shown = (of: Mode, key: Exclude<keyof ModeResult, 'reliability'>) => evaluation[of][key].toFixed(3)
  const cells = COLUMNS.map(([, key]) => {
    if (key === 'p50Ms' || key === 'p99Ms') return `<td>${evaluation[mode][key].toFixed(1)} ms</td>`
    const isBest = MODES.every((other) => shown(other, key) <= shown(mode, key))
    return `<td${isBest ? ' class="best"' : ''}>${shown(mode, key)}</td>`
  })
  return `<tr class="${mode}"><th scope="row">${NAMES[mode]}</th>${cells.join('')}</tr>`
}

/** The hybrid search without rescoring, where the flow rescores. */
function plainRow({ withoutRescoring }: Evaluation): string {
  if (!withoutRescoring) return ''
  const { ndcg10, recall10, recall100, mrr10 } = withoutRescoring
  const cells = [ndcg10, recall10, recall100, mrr10].map((figure) => `<td>${figure.toFixed(3)}</td>`)
  return `<tr><th scope="row">Hybrid without rescoring</th>${cells.join('')}<td>–</td><td>–</td></tr>`
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character]!)

const STYLE = `
:root { color-scheme: light dark; --ink: #1c2430; --quiet: #5d6878; --line: #d8dee6; --ground: #fff;
  --hybrid: #0b7285; --keyword: #b35900; --vector: #6741d9 }
@media (prefers-color-scheme: dark) { :root { --ink: #e6ebf2; --quiet: #98a4b5; --line: #333d4b; --ground: #12171e;
  --hybrid: #3bc9db; --keyword: #ffa94d; --vector: #b197fc } }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
main { max-width: 46rem; margin: 0 auto; padding: 2rem 1rem 3rem }
h1 { font-size: 1.5rem; margin: 0; overflow-wrap: anywhere }
h1 + p, .note { color: var(--quiet); margin-top: .25rem }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem }
.scroll { overflow-x: auto }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums }
th, td { padding: .4rem .5rem; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap }
th:first-child { text-align: left }
tr:first-child th { color: var(--quiet); font-weight: 500 }
.best { font-weight: 700 }
.hybrid th { color: var(--hybrid) } .keyword th { color: var(--keyword) } .vector th { color: var(--vector) }
svg { width: 100%; height: auto; display: block }
svg text { font: 12px system-ui, sans-serif; fill: var(--quiet) }
svg .grid { stroke: var(--line) }
svg .curve { stroke: var(--hybrid); stroke-width: 2.5; fill: none; stroke-linejoin: round }
svg .alone { stroke-width: 1.5; stroke-dasharray: 5 4 }
svg .alone.keyword { stroke: var(--keyword) } svg .alone.vector { stroke: var(--vector) }
svg text.keyword { fill: var(--keyword) } svg text.vector { fill: var(--vector) }
svg .current { stroke: var(--quiet); stroke-dasharray: 2 3 }
svg circle { fill: var(--hybrid) } svg text.peak { fill: var(--hybrid); font-weight: 700 }
`
