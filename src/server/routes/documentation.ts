import { readFileSync } from 'node:fs'
import { openApiDocument } from '../../api/protocol.ts'
import { type DescribedRoutes, documentationPage } from '../docs/page.ts'
import { type Route, route } from '../route.ts'
import { startPage } from '../docs/html.ts'

const HTML = 'text/html; charset=utf-8'

/** Nothing runs or is shown but what this server gives as a file of its own; forms are sent by the script alone. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Files that the pages use. */
const ASSETS = [
  { name: 'try.js', type: 'text/javascript; charset=utf-8', about: 'The script of the forms' },
  { name: 'style.css', type: 'text/css; charset=utf-8', about: 'The style of the pages' },
] as const

/** The server describes itself: for programs as OpenAPI, for people as a page. */
export function documentationRoutes(describe: () => object): Route[] {
  const page = (url: string, summary: string, render: (origin: string) => string) =>
    route({
      method: 'GET',
      url,
      summary,
      tag: 'documentation',
      access: 'open',
      answer: { description: 'A page', type: HTML },
      async handle({ request, reply }) {
        reply.header('content-security-policy', POLICY)
        return render(`${request.protocol}://${request.host}`)
      },
    })
  const asset = ({ name, type, about }: (typeof ASSETS)[number]) => {
    const text = readFileSync(new URL(`../docs/${name}`, import.meta.url), 'utf8')
    return route({
      method: 'GET',
      url: `/docs/${name}`,
      summary: about,
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
      summary: 'This description',
      tag: 'documentation',
      access: 'open',
      answer: { description: 'An OpenAPI document', shape: openApiDocument },
      handle: async () => describe(),
    })
  return [
    page('/', 'Where to begin', startPage),
    page('/docs', 'Every route on one page', () => documentationPage(describe() as DescribedRoutes)),
    page('/api/v1/docs', 'Every route on one page', () => documentationPage(describe() as DescribedRoutes)),
    ...ASSETS.map(asset),
    description('/openapi.json'),
    description('/api/v1/openapi.json'),
  ]
}
