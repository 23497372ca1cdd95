import { readFileSync } from 'node:fs'
import { ifNoneMatch } from '../../api/if-none-match.ts'
import { openApiDocument } from '../../api/protocol.ts'
import { openOnce } from '../../kit/open-once.ts'
import { type DescribedRoutes, documentationPage } from '../docs/page.ts'
import { sendTagged, taggedJson } from '../entity-tag.ts'
import { type Route, route } from '../route.ts'

const HTML = 'text/html; charset=utf-8'

/** The pages use only scripts and styles that are files of this server; only the script sends forms. */
export const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The files that the pages use. */
const ASSETS = [
  { name: 'try.js', type: 'text/javascript; charset=utf-8', summary: 'The script of the forms' },
  { name: 'style.css', type: 'text/css; charset=utf-8', summary: 'The style of the pages' },
] as const

/**
 * The description of all routes: as OpenAPI and as a page. Each is made when it is first asked for and is the same until the server ends:
 * to make it takes some tenths of a second of a processor, and anybody may ask.
 */
export function documentationRoutes(describe: () => Promise<object>): Route[] {
  const describedAsJson = openOnce(async () => taggedJson(await describe()))
  const describedAsPage = openOnce(async () => documentationPage((await describe()) as DescribedRoutes))
  const page = (url: string) =>
    route({
      method: 'GET',
      url,
      summary: 'All routes on one page',
      tag: 'documentation',
      access: 'open',
      answer: { description: 'A page', type: HTML },
      async handle({ reply }) {
        reply.header('content-security-policy', PAGE_POLICY)
        return describedAsPage()
      },
    })
  const asset = ({ name, type, summary }: (typeof ASSETS)[number]) => {
    const text = readFileSync(new URL(`../docs/${name}`, import.meta.url), 'utf8')
    return route({
      method: 'GET',
      url: `/docs/${name}`,
      summary,
      tag: 'documentation',
      access: 'open',
      answer: { description: 'A file', type },
      handle: async () => text,
    })
  }
  const description = (url: string) =>
    route({
      method: 'GET',
      url,
      summary: 'This description as OpenAPI',
      tag: 'documentation',
      access: 'open',
      headers: ifNoneMatch,
      answer: { description: 'An OpenAPI document', shape: openApiDocument },
      also: [{ status: 304, description: 'The client has it: If-None-Match named its ETag' }],
      handle: async ({ request, reply }) => sendTagged(request, reply, await describedAsJson()),
    })
  return [
    page('/docs'),
    page('/api/v1/docs'),
    ...ASSETS.map(asset),
    description('/openapi.json'),
    description('/api/v1/openapi.json'),
  ]
}
