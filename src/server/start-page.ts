import { escapeHtml, page } from './html.ts'

/** What a person sees who opens the address of the server in a browser; `origin` is the address they used. */
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
