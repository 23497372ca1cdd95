/** Escapes a text for HTML, also inside attributes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** A page of this server. Its style is a file: the content security policy allows no inline styles. */
export const htmlPage = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
  `<title>${escapeHtml(title)}</title><link rel="stylesheet" href="/docs/style.css"><body>${body}</body></html>`

/** The page at `/` while the studio is not built. @param origin the address of the server that the browser used */
export function startPage(origin: string): string {
  const at = escapeHtml(origin)
  return htmlPage(
    'Sluice',
    `<h1>Sluice is running</h1>
<p class="quiet">Loads documents through chat flows into vector stores, finds their passages, and answers questions.</p>
<p>The flow <code>quickstart</code> is ready. Load a file into it, then query it:</p>
<pre>curl -F files=@handbook.pdf ${at}/api/v1/vector/upsert/quickstart
curl -H 'content-type: application/json' -d '{"query": "How long is the notice period?"}' \\
     ${at}/api/v1/vector/query/quickstart</pre>
<p>The studio, in which flows are drawn, is not built yet. In the checkout: <code>npm run build:studio</code>,
then start the server again.</p>
<p><a href="/docs">All routes on one page</a> · <a href="/openapi.json">the same as OpenAPI</a></p>`,
  )
}
