/** A text as it may stand in HTML, in an attribute too. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** A page of this server; its style is a file, so that no policy has to allow inline ones. */
export const htmlPage = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
  `<title>${escapeHtml(title)}</title><link rel="stylesheet" href="/docs/style.css"><body>${body}</body></html>`

/** What a person sees who opens the address of the server in a browser; `origin` is the address they used. */
export function startPage(origin: string): string {
  const at = escapeHtml(origin)
  return htmlPage(
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
