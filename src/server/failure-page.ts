import type { FastifyRequest } from 'fastify'
import type { SluiceError } from '../kit/errors.ts'
import { escapeHtml, htmlPage } from './docs/html.ts'

/** Addresses that programs call, also where a person types one. */
const FOR_PROGRAMS = /^\/(api|v1|assets)(\/|$)/

/** Whether a person opened an address in a browser, and is told in a page what is not there. */
export function wantsPage({
  method,
  url,
  headers,
}: Pick<FastifyRequest, 'method' | 'url' | 'headers'>): boolean {
  const isRead = method === 'GET' || method === 'HEAD'
  return isRead && headers.accept?.includes('text/html') === true && !FOR_PROGRAMS.test(url)
}

/** What is told to a person instead of the body for programs. */
export const failurePage = ({ message, facts: { hint } }: SluiceError): string =>
  htmlPage(
    'Nothing here · Sluice',
    `<h1>There is nothing at this address</h1>
<p>${escapeHtml(message)}.</p>
${hint === undefined ? '' : `<p>${escapeHtml(String(hint))}.</p>`}
<p><a href="/flows">All flows</a> · <a href="/docs">Routes of the server</a></p>`,
  )
