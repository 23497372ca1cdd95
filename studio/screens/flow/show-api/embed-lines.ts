/** Where the chat widget of Flowise is published; the version is the one that is tested with this server. */
const WIDGET = 'https://cdn.jsdelivr.net/npm/flowise-embed@3.1.6/dist/web.js'

/** A flow as a page of another site names it. */
export type EmbeddedFlow = {
  /** The address of the server: `https://sluice.example.com`. */
  origin: string
  id: string
  slug: string
}

/** The lines for a page: a button that opens a chat with the flow. */
export const widgetLines = ({ origin, id }: EmbeddedFlow): string =>
  `<script type="module">
  import Chatbot from '${WIDGET}'
  Chatbot.init({ chatflowid: '${id}', apiHost: '${origin}' })
</script>`

/** The line for a page: the chat page of the flow in a frame. */
export const frameLine = (flow: EmbeddedFlow): string =>
  `<iframe src="${chatPageOf(flow)}" title="Chat" width="400" height="600"></iframe>`

/** The address of the chat page of a flow. */
export const chatPageOf = ({ origin, slug }: EmbeddedFlow): string =>
  `${origin}/chatbot/${encodeURIComponent(slug)}`

export type EmbedState = {
  needsKey: boolean
  allowedOrigins: readonly string[]
  /** Whether the address of the server is one of this machine. */
  isLocal: boolean
}

/** What the owner has to know before the lines are put on a page; the first thing that stops them comes first. */
export function embedWarnings({ needsKey, allowedOrigins, isLocal }: EmbedState): string[] {
  const warnings: string[] = []
  if (needsKey)
    warnings.push(
      'This flow needs a key. Every visitor of a page can read a key that is in it, so the widget has none and its questions are refused. Embed a flow without a key, or let your own server ask this one.',
    )
  if (isLocal)
    warnings.push(
      'This address is one of this machine: browsers of other machines cannot reach it. Open the studio by the address that visitors use.',
    )
  if (allowedOrigins.length === 0)
    warnings.push(
      isLocal && !needsKey
        ? 'No site is allowed: an open flow of this machine answers only pages of this machine.'
        : 'No site is listed, so pages of every site may ask this flow. List your own.',
    )
  if (allowedOrigins.includes('*')) warnings.push('The list has *, so pages of every site may ask this flow.')
  return warnings
}
