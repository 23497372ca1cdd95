import { ERRORS } from '../kit/errors.ts'
import { isObject } from '../kit/json.ts'

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8882; }
body { font: 16px/1.55 system-ui, sans-serif; max-width: 60rem; margin: 3rem auto; padding: 0 1.25rem }
h1 { font-size: 1.9rem; margin-bottom: .25rem } h2 { margin-top: 2.5rem; text-transform: capitalize }
code, pre { font: .88em/1.5 ui-monospace, monospace } pre { background: var(--soft); padding: .9rem 1rem; border-radius: .5rem; overflow-x: auto }
table { border-collapse: collapse; width: 100% } td, th { text-align: left; padding: .4rem .8rem .4rem 0; border-bottom: 1px solid var(--line); vertical-align: top }
td:first-child { width: 42% }
.method { display: inline-block; min-width: 4.2rem; font-weight: 650 } .quiet { opacity: .7 }
`

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
  `<title>${escapeHtml(title)}</title><style>${STYLE}</style><body>${body}</body></html>`

/** What somebody sees who opens the address of the server in a browser; `origin` is the address they used. */
export function startPage(origin: string): string {
  const at = escapeHtml(origin)
  return page(
    'Sluice',
    `<h1>Sluice is running</h1>
<p class="quiet">Documents go in over HTTP, through chat flows, into vector stores; answers come out.</p>
<p>The flow <code>quickstart</code> is ready. Load a file into it, then ask:</p>
<pre>curl -F files=@handbook.pdf ${at}/api/v1/vector/upsert/quickstart
curl -H 'content-type: application/json' -d '{"query": "How long is the notice period?"}' \\
     ${at}/api/v1/vector/query/quickstart</pre>
<p><a href="/docs">Every route on one page</a> · <a href="/openapi.json">the same as OpenAPI</a></p>`,
  )
}

type Operation = {
  summary?: string
  tags?: string[]
  security?: unknown[]
  requestBody?: { content: object }
  parameters?: Parameter[]
}
type Parameter = { name: string; in: string; required?: boolean }

/** Every route and every error on one page, without a script. */
export function documentationPage(description: object): string {
  const paths =
    isObject(description) && isObject((description as { paths?: unknown }).paths)
      ? (description as { paths: Record<string, Record<string, Operation>> }).paths
      : {}
  const rows = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ path, method, operation })),
  )
  const groups = Object.groupBy(rows, ({ operation }) => operation.tags?.[0] ?? 'other')
  const sections = Object.entries(groups).map(
    ([tag, rows = []]) => `<h2>${escapeHtml(tag)}</h2><table>${rows.map(routeRow).join('')}</table>`,
  )
  const errors = Object.entries(ERRORS)
    .map(
      ([code, [status, sentence]]) => `<tr><td><code>${code}</code><td>${status}<td>${escapeHtml(sentence)}`,
    )
    .join('')
  return page(
    'Sluice: routes',
    `<h1>Routes</h1><p class="quiet">The same for programs: <a href="/openapi.json">/openapi.json</a></p>${sections.join('')}
<h2>Errors</h2><p>Every failure has the body <code>{statusCode, success, message, stack, code}</code>, some with <code>file</code>, <code>stage</code>, <code>hint</code>.</p>
<table><tr><th>code<th>status<th>message</tr>${errors}</table>`,
  )
}

function routeRow({
  path,
  method,
  operation,
}: {
  path: string
  method: string
  operation: Operation
}): string {
  const asked = (operation.parameters ?? [])
    .filter((parameter) => parameter.in === 'query')
    .map((parameter) => parameter.name)
  const takes = Object.keys(operation.requestBody?.content ?? {})
  const facts = [
    operation.security === undefined
      ? 'open'
      : operation.security.length > 1
        ? 'follows the flow'
        : 'management key',
    ...(asked.length > 0 ? [`?${asked.join(', ')}`] : []),
    ...takes,
  ]
  return `<tr><td><code><span class="method">${method.toUpperCase()}</span> ${escapeHtml(path)}</code><td>${escapeHtml(operation.summary ?? '')}<div class="quiet">${escapeHtml(facts.join(' · '))}</div>`
}
