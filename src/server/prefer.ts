import type { IncomingHttpHeaders } from 'node:http'

/** Whether a client would rather have 202 now than the answer later: `Prefer: respond-async` (RFC 7240, 4.1). */
export const prefersAsync = ({ prefer }: IncomingHttpHeaders): boolean =>
  [prefer ?? []]
    .flat()
    .flatMap((value) => value.split(','))
    .some((preference) => preference.split(';')[0]!.trim().toLowerCase() === 'respond-async')
