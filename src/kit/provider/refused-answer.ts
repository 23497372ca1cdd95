/** A refused call, or an answer without what was asked for, with the fields of the AI SDK's errors, which `failure.ts` reads. */
export class RefusedAnswer extends Error {
  readonly statusCode: number
  readonly responseHeaders: Record<string, string>
  readonly responseBody: string

  constructor(response: Response, body: string, message = `status ${response.status}`) {
    super(message)
    this.statusCode = response.status
    this.responseHeaders = Object.fromEntries(response.headers)
    this.responseBody = body
  }
}
