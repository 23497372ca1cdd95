import { type Route, route } from '../route.ts'
import { documentationPage, startPage } from '../pages.ts'

const HTML = 'text/html; charset=utf-8'

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
        reply.header(
          'content-security-policy',
          "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
        )
        return render(`${request.protocol}://${request.host}`)
      },
    })
  const description = (url: string) =>
    route({
      method: 'GET',
      url,
      summary: 'This description',
      tag: 'documentation',
      access: 'open',
      answer: { description: 'An OpenAPI document' },
      handle: async () => describe(),
    })
  return [
    page('/', 'Where to begin', startPage),
    page('/docs', 'Every route on one page', () => documentationPage(describe())),
    page('/api/v1/docs', 'Every route on one page', () => documentationPage(describe())),
    description('/openapi.json'),
    description('/api/v1/openapi.json'),
  ]
}
